import { useMemo, useState } from "react";
import { Diff, Hunk, type HunkData, pickRanges, type RenderGutter, tokenize } from "react-diff-view";
import "react-diff-view/style/index.css";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button";
import { reveal } from "../../ui/text";
import { changedWords, firstLines, hunksOf } from "./hunks";

/** Lines that are drawn at once; more come when asked for. */
const STEP = 1_000;
/** Words that changed are marked in a change of up to so many lines. */
const WORDS = 2_000;

/** A change as a table of lines, with the words marked that differ. Loaded when the first one is opened. */
export default function DiffTable({ path, before, after }: { path: string; before: string | null; after: string }) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(STEP);
  const hunks = useMemo(() => hunksOf(before === null ? null : reveal(before), reveal(after)), [before, after]);
  const total = hunks.reduce((sum, { changes }) => sum + changes.length, 0);
  const shown = useMemo(() => firstLines(hunks, limit), [hunks, limit]);
  const tokens = useMemo(() => wordsOf(shown, total), [shown, total]);
  const gutter: RenderGutter = ({ change, side }) => {
    if (change.type === "normal") return side === "old" ? change.oldLineNumber : change.newLineNumber;
    if ((change.type === "insert") !== (side === "new")) return null;
    const added = change.type === "insert";
    return (
      <>
        {change.lineNumber}
        <span aria-hidden="true"> {added ? "+" : "−"}</span>
        <span className="sr-only">, {t(added ? "tool.added" : "tool.removed")}</span>
      </>
    );
  };
  if (total === 0) return <p className="px-2 py-1 text-muted">{t("tool.noChange")}</p>;
  return (
    <div className="max-h-[32rem] overflow-auto" tabIndex={0} role="group" aria-label={reveal(path)}>
      <Diff viewType="unified" diffType="modify" hunks={shown} tokens={tokens} renderGutter={gutter}>
        {(each) => each.map((hunk, index) => <Hunk key={index} hunk={hunk} />)}
      </Diff>
      {limit < total && (
        <Button look="quiet" className="m-1" onClick={() => setLimit(limit + STEP)}>
          {t("tool.moreLines", { count: Math.min(STEP, total - limit), left: total - limit })}
        </Button>
      )}
    </div>
  );
}

function wordsOf(hunks: HunkData[], total: number) {
  return total > WORDS ? null : tokenize(hunks, { enhancers: [pickRanges(...changedWords(hunks))] });
}
