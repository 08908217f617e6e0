import { expect, test } from "vitest";
import { countLines, endOfLines, segmentEnds } from "./segments";

const code = Array.from({ length: 2_000 }, (_, index) => `line ${index}\n`).join("");

test("segments cover a code, end with lines, and stay where they are while it grows", () => {
  const ends = segmentEnds(code);
  expect(ends.at(-1)).toBe(code.length);
  for (const end of ends) expect(code[end - 1]).toBe("\n");
  for (let length = 1; length < code.length; length += 997) {
    const grown = segmentEnds(code.slice(0, length));
    expect(grown.slice(0, -1)).toEqual(ends.slice(0, grown.length - 1));
    expect(grown.at(-1)).toBe(length);
  }
});

test("a line without an end is cut all the same", () => {
  const ends = segmentEnds("x".repeat(200_000));
  expect(ends).toEqual([65_536, 131_072, 196_608, 200_000]);
  expect(segmentEnds("")).toEqual([]);
});

test.each([
  ["", 0, 0],
  ["a", 1, 1],
  ["a\n", 1, 2],
  ["a\nb", 2, 2],
  ["\n\n", 2, 1],
])("%j has %d lines, the first of which ends at %d", (text, lines, end) => {
  expect(countLines(text)).toBe(lines);
  expect(endOfLines(text, 1)).toBe(end);
});
