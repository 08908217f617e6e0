export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

/**
 * The lines of a change: what both texts begin and end with is the same, what lies between was removed and added.
 * Not the smallest change there is, but always a true one, at the cost of one look at each line.
 */
export function changedLines(before: string | null, after: string): DiffLine[] {
  const old = before === null ? [] : splitLines(before);
  const now = splitLines(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const lines = (kind: DiffLine["kind"], texts: string[]) => texts.map((text) => ({ kind, text }));
  return [
    ...lines("same", old.slice(0, start)),
    ...lines("removed", old.slice(start, old.length - end)),
    ...lines("added", now.slice(start, now.length - end)),
    ...lines("same", old.slice(old.length - end)),
  ];
}

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
