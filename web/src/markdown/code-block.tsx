import { WrapText } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { whenOnScreen } from "../ui/on-screen";
import { highlight, LONGEST } from "./highlight/highlighter";
import { type LanguageName, languageNamed } from "./highlight/names";
import { piecesOf } from "./highlight/runs";
import { countLines, endOfLines, segmentEnds } from "./segments";

/** Lines of a long block that are shown until all are asked for. */
const WINDOW = 200;

interface Props {
  text: string;
  language: string;
  /** More may come at its end. */
  open?: boolean;
}

/** Code as it is, with its language, a button that copies the exact source and one that wraps its lines. */
export const CodeBlock = memo(function CodeBlock({ text, language, open = false }: Props) {
  const { t } = useTranslation();
  const [wraps, setWraps] = useState(false);
  // One that was seen to grow is not folded under the reader's eyes.
  const [whole, setWhole] = useState(open);
  const lines = whole ? 0 : countLines(text);
  const shown = whole || lines <= WINDOW ? text : text.slice(0, endOfLines(text, WINDOW));
  return (
    <figure className="md-figure">
      <figcaption className="flex items-center gap-1 ps-3 pe-1 pt-1 text-xs text-muted">
        <span className="me-auto truncate">{language || t("code.plain")}</span>
        <IconButton label={t("code.wrap")} aria-pressed={wraps} onClick={() => setWraps(!wraps)}>
          <WrapText size={14} aria-hidden className={wraps ? "text-accent" : undefined} />
        </IconButton>
        <CopyButton text={text} label={t("code.copy")} />
      </figcaption>
      <pre tabIndex={0} aria-label={t("code.label", { language: language || t("code.plain") })} className={wraps ? "md-wrap" : undefined}>
        <Code code={shown} language={open ? null : languageNamed(language)} />
      </pre>
      {shown.length < text.length && (
        <Button look="quiet" className="m-1" onClick={() => setWhole(true)}>
          {t("code.all", { count: lines })}
        </Button>
      )}
    </figure>
  );
});

function Code({ code, language }: { code: string; language: LanguageName | null }) {
  const ends = segmentEnds(code);
  return (
    <code className={ends.length > 2 ? "md-long" : undefined}>
      {ends.map((end, index) => (
        <Segment key={index} code={code} start={ends[index - 1] ?? 0} end={end} language={language} />
      ))}
    </code>
  );
}

interface SegmentProps {
  code: string;
  start: number;
  end: number;
  language: LanguageName | null;
}

/** Some lines of code in a box of their own, coloured once they are on screen. */
const Segment = memo(
  function Segment({ code, start, end, language }: SegmentProps) {
    const box = useRef<HTMLSpanElement>(null);
    useEffect(() => {
      const element = box.current;
      if (!element || language === null || code.length > LONGEST) return;
      let left = false;
      const stop = whenOnScreen(element, () => {
        void highlight(code, language).then((runs) => {
          // React keeps the one text in here, and takes all of it away again where the text changes.
          if (runs && !left) element.replaceChildren(...piecesOf(code, runs, start, end).map(drawn));
        });
      });
      return () => {
        left = true;
        stop();
      };
    }, [code, start, end, language]);
    return (
      <span ref={box} className="md-segment">
        {code.slice(start, end)}
      </span>
    );
  },
  (before, after) => {
    if (before.language !== after.language || before.start !== after.start || before.end !== after.end) return false;
    return before.code === after.code || (after.language === null && sameSegment(before, after));
  },
);

function sameSegment(before: SegmentProps, after: SegmentProps): boolean {
  return before.code.slice(before.start, before.end) === after.code.slice(after.start, after.end);
}

function drawn({ text, className }: { text: string; className: string }): Node {
  if (className === "") return document.createTextNode(text);
  const span = document.createElement("span");
  span.className = className;
  span.textContent = text;
  return span;
}
