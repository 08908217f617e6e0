import { expect, test } from "vitest";
import { dice } from "../../testing/world";
import { changedWords, countChanges, firstLines, hunksOf } from "./hunks";

const signs = { insert: "+", delete: "-", normal: " " } as const;
const drawn = (before: string | null, after: string) =>
  hunksOf(before, after).flatMap(({ changes }) => changes.map(({ type, content }) => signs[type] + content));

test.each([
  [null, "x\n", ["+x"]],
  ["a\nb\nc\n", "a\nB\nc\n", [" a", "-b", "+B", " c"]],
  ["same\n", "same\n", []],
  ["no end", "no end\n", ["-no end", "+no end"]],
  ["a\n", "", ["-a"]],
])("the change from %j to %j", (before, after, expected) => {
  expect(drawn(before, after)).toEqual(expected);
});

test("a change has a size", () => {
  expect(countChanges("a\nb\nc\n", "a\nB\nC\nc\n")).toEqual({ added: 2, removed: 1 });
  expect(countChanges(null, "a\nb\n")).toEqual({ added: 2, removed: 0 });
});

test("line numbers are those of both texts", () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const [first, second] = hunksOf(lines.join("\n"), lines.with(5, "five").toSpliced(30, 1).join("\n"));
  expect(first).toMatchObject({ oldStart: 3, newStart: 3, oldLines: 7, newLines: 7 });
  expect(second?.changes.find(({ type }) => type === "delete")).toMatchObject({ lineNumber: 31 });
});

test("two texts of thousands of lines that share nothing are told in time, and truly", () => {
  const random = dice(5);
  const text = () => Array.from({ length: 6_000 }, () => String(random())).join("\n");
  const [before, after] = [text(), text()];
  const started = performance.now();
  const hunks = hunksOf(before, after);
  expect(performance.now() - started).toBeLessThan(3_000);
  const side = (other: string) => hunks.flatMap(({ changes }) => changes.filter(({ type }) => type !== other)).map(({ content }) => content);
  expect(side("insert").join("\n")).toBe(before);
  expect(side("delete").join("\n")).toBe(after);
  expect(firstLines(hunks, 500).flatMap(({ changes }) => changes)).toHaveLength(500);
});

test("the words that differ are found in lines that took the place of others", () => {
  const [old, now] = changedWords(hunksOf("same\none two\ngone\n", "same\none three\n"));
  expect(old).toEqual([{ type: "edit", lineNumber: 2, start: 4, length: 3 }]);
  expect(now).toEqual([{ type: "edit", lineNumber: 2, start: 4, length: 5 }]);
});
