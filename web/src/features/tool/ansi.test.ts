import { expect, test } from "vitest";
import { stretchesOf, terminalLines } from "./ansi";

const shown = (text: string) => terminalLines(text).map((line) => stretchesOf(line).map((each) => each.text).join(""));

test.each([
  ["a\nb\n", ["a", "b"]],
  ["\u001b[31mred\u001b[0m plain", ["red plain"]],
  ["\u001b]8;;javascript:pwn()\u0007l\u001b]8;;\u0007", ["l"]],
  ["10%\r50%\r100%\ndone\r\n", ["100%", "done"]],
  ["\u001b[2K\u001b[1Gmoved", ["moved"]],
  ["\u001b[?25lhidden cursor\u001b[?25h", ["hidden cursor"]],
  ["", []],
  ["\n\n", ["", ""]],
])("%j reads %j", (text, expected) => {
  expect(shown(text)).toEqual(expected);
});

test("a colour lasts over lines until it is reset", () => {
  const classes = terminalLines("\u001b[1;32mone\ntwo\u001b[0m\nthree").map((line) => stretchesOf(line).map((each) => each.classes));
  expect(classes).toEqual([["ansi-green term-bold"], ["ansi-green term-bold"], [""]]);
});

test("a program that never resets does not grow what is carried", () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `\u001b[3${index % 8}mline`).join("\n");
  const before = performance.now();
  const lines = terminalLines(text);
  expect(performance.now() - before).toBeLessThan(500);
  expect(lines.at(-1)?.carried.length).toBeLessThan(100);
});

test("a line of two megabytes is shown in pieces, none of it missing", () => {
  const lines = terminalLines("y".repeat(2_000_000));
  expect(lines).toHaveLength(1_000);
  expect(lines.map((line) => line.text).join("")).toHaveLength(2_000_000);
});
