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

export type DiffRow = DiffLine | { kind: "gap"; count: number };

/** The same with only `context` unchanged lines beside each change. */
export function withContext(lines: readonly DiffLine[], context: number): DiffRow[] {
  const near = lines.map((line, index) =>
    line.kind !== "same" || lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== "same"),
  );
  const rows: DiffRow[] = [];
  lines.forEach((line, index) => {
    const last = rows.at(-1);
    if (near[index]) rows.push(line);
    else if (last?.kind === "gap") last.count += 1;
    else rows.push({ kind: "gap", count: 1 });
  });
  return rows;
}

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
