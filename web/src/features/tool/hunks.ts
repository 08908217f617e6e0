import { diffWordsWithSpace, structuredPatch } from "diff";
import type { ChangeData, HunkData, RangeTokenNode } from "react-diff-view";
import { changedLines } from "./diff";

/** Lines around a change that are shown with it. */
const CONTEXT = 3;
/** The smallest change is looked for so long; after that any true one will do. */
const PATIENCE_MS = 400;

/** The hunks of a change, as react-diff-view takes them. */
export function hunksOf(before: string | null, after: string): HunkData[] {
  const patch = structuredPatch("", "", before ?? "", after, undefined, undefined, { context: CONTEXT, timeout: PATIENCE_MS });
  if (!patch) return [wholeHunk(before, after)];
  return patch.hunks.map((hunk) => ({
    content: `@@ -${hunk.oldStart} +${hunk.newStart} @@`,
    oldStart: hunk.oldStart,
    newStart: hunk.newStart,
    oldLines: hunk.oldLines,
    newLines: hunk.newLines,
    changes: changesOf(
      // "\ No newline at end of file" is a note, no line.
      hunk.lines.filter((line) => !line.startsWith("\\")).map((line) => [line.charAt(0), line.slice(1)] as const),
      hunk.oldStart,
      hunk.newStart,
    ),
  }));
}

/** One hunk from the first line that differs to the last: not the smallest change, but a true one. */
function wholeHunk(before: string | null, after: string): HunkData {
  const lines = changedLines(before, after);
  const from = Math.max(0, lines.findIndex(({ kind }) => kind !== "same") - CONTEXT);
  const to = lines.findLastIndex(({ kind }) => kind !== "same") + 1 + CONTEXT;
  const signs = { same: " ", added: "+", removed: "-" } as const;
  const changes = changesOf(lines.slice(from, to).map(({ kind, text }) => [signs[kind], text] as const), from + 1, from + 1);
  const count = (other: ChangeData["type"]) => changes.filter(({ type }) => type !== other).length;
  return { content: "", oldStart: from + 1, newStart: from + 1, oldLines: count("insert"), newLines: count("delete"), changes };
}

function changesOf(lines: readonly (readonly [string, string])[], oldStart: number, newStart: number): ChangeData[] {
  let [old, now] = [oldStart, newStart];
  return lines.map(([sign, content]): ChangeData => {
    if (sign === "+") return { type: "insert", content, lineNumber: now++, isInsert: true };
    if (sign === "-") return { type: "delete", content, lineNumber: old++, isDelete: true };
    return { type: "normal", content, oldLineNumber: old++, newLineNumber: now++, isNormal: true };
  });
}

/** The first `limit` lines of the hunks. */
export function firstLines(hunks: readonly HunkData[], limit: number): HunkData[] {
  let left = limit;
  return hunks.flatMap((hunk) => {
    const changes = hunk.changes.slice(0, Math.max(0, left));
    left -= hunk.changes.length;
    return changes.length > 0 ? [{ ...hunk, changes }] : [];
  });
}

/** How many lines came and went. */
export function countChanges(before: string | null, after: string): { added: number; removed: number } {
  const changes = hunksOf(before, after).flatMap((hunk) => hunk.changes);
  const count = (type: ChangeData["type"]) => changes.filter((change) => change.type === type).length;
  return { added: count("insert"), removed: count("delete") };
}

/** Lines longer than this are not looked through for words. */
const LONGEST_LINE = 1_000;

/** Where lines that took the place of others differ from them, word by word: the ranges of the old lines, and of the new. */
export function changedWords(hunks: readonly HunkData[]): [RangeTokenNode[], RangeTokenNode[]] {
  const old: RangeTokenNode[] = [];
  const now: RangeTokenNode[] = [];
  for (const [before, after] of hunks.flatMap(({ changes }) => pairsOf(changes))) {
    if (Math.max(before.content.length, after.content.length) > LONGEST_LINE) continue;
    let [oldAt, newAt] = [0, 0];
    for (const { value, added, removed } of diffWordsWithSpace(before.content, after.content)) {
      const edit = { type: "edit", length: value.length };
      if (removed) old.push({ ...edit, lineNumber: lineOf(before), start: oldAt });
      if (added) now.push({ ...edit, lineNumber: lineOf(after), start: newAt });
      if (!added) oldAt += value.length;
      if (!removed) newAt += value.length;
    }
  }
  return [old, now];
}

const lineOf = (change: ChangeData): number => (change.type === "normal" ? change.newLineNumber : change.lineNumber);

/** The lines that went, each with the one that came in its place. */
function pairsOf(changes: readonly ChangeData[]): [ChangeData, ChangeData][] {
  const pairs: [ChangeData, ChangeData][] = [];
  let [gone, come]: [ChangeData[], ChangeData[]] = [[], []];
  const close = () => {
    gone.slice(0, come.length).forEach((change, index) => {
      const other = come[index];
      if (other) pairs.push([change, other]);
    });
    [gone, come] = [[], []];
  };
  for (const change of changes) {
    if (change.type === "normal" || (change.type === "delete" && come.length > 0)) close();
    if (change.type === "delete") gone.push(change);
    if (change.type === "insert") come.push(change);
  }
  close();
  return pairs;
}
