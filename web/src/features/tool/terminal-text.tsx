import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Virtualizer } from "virtua";
import { CopyButton } from "../../ui/copy-button";
import { stripTerminalCodes } from "../../ui/text";
import { stretchesOf, type TerminalLine, terminalLines } from "./ansi";

/** Up to so many lines are all in the page; of more, only those that are seen. */
const ALL_AT_ONCE = 120;

/** Output as a terminal would show it: with its colours, and none of its other codes. Copied as plain text. */
export function TerminalText({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation();
  const lines = useMemo(() => terminalLines(text), [text]);
  return (
    <div className="relative">
      <div
        tabIndex={0}
        role="group"
        aria-label={label ?? t("tool.outputLabel")}
        className="term max-h-96 overflow-auto rounded-md bg-fill p-2 pe-9"
      >
        {lines.length <= ALL_AT_ONCE ? (
          lines.map((line, index) => <Line key={index} line={line} />)
        ) : (
          <Virtualizer data={lines} bufferSize={200} startMargin={8}>
            {(line, index) => <Line key={index} line={line} />}
          </Virtualizer>
        )}
      </div>
      <span className="absolute end-1 top-1">
        <CopyButton text={stripTerminalCodes(text)} label={t("tool.copy")} />
      </span>
    </div>
  );
}

const Line = memo(({ line }: { line: TerminalLine }) => (
  <div className="term-line">
    {stretchesOf(line).map(({ text, classes, own }, index) =>
      classes === "" && own === null ? (
        text
      ) : (
        <span key={index} className={classes} style={own === null ? undefined : { color: `color-mix(in oklab, rgb(${own}) 55%, var(--text))` }}>
          {text}
        </span>
      ),
    )}
    {"\n"}
  </div>
));
