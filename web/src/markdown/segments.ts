/** About so many UTF-16 units stand in one text node: what grows is the last, the others stay as they are. */
const SEGMENT = 4_096;
/** A line longer than this is cut where it is. */
const LONGEST = 65_536;

/** Where the pieces of a code end, each after a whole line. They depend on what stands before them only. */
export function segmentEnds(code: string): number[] {
  const ends: number[] = [];
  let start = 0;
  while (code.length - start > SEGMENT) {
    const line = code.indexOf("\n", start + SEGMENT - 1);
    const end = line === -1 || line - start >= LONGEST ? start + LONGEST : line + 1;
    if (end >= code.length) break;
    ends.push(end);
    start = end;
  }
  if (start < code.length) ends.push(code.length);
  return ends;
}

/** How many lines there are. A line end at the very end begins no other. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}

/** Where the first `lines` lines end. */
export function endOfLines(text: string, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf("\n", end);
    if (next === -1) return text.length;
    end = next + 1;
  }
  return end;
}
