import { describe, expect, test } from "vitest";
import { dice } from "../../testing/world";
import { changedLines } from "./diff";

const signs = { same: " ", added: "+", removed: "-" } as const;
const drawn = (before: string | null, after: string) => changedLines(before, after).map(({ kind, text }) => signs[kind] + text);

describe("a diff", () => {
  test.each([
    [null, "x\n", ["+x"]],
    ["a\n", "", ["-a"]],
    ["a\nb\nc\n", "a\nB\nc\n", [" a", "-b", "+B", " c"]],
    ["a\na\n", "a\na\na\n", [" a", " a", "+a"]],
    ["same\n", "same\n", [" same"]],
    ["no end", "no end\nmore", [" no end", "+more"]],
  ])("of %j and %j", (before, after, expected) => {
    expect(drawn(before, after)).toEqual(expected);
  });

  test("always holds both texts", () => {
    const random = dice(3);
    const text = () => Array.from({ length: Math.floor(random() * 6) }, () => "abc"[Math.floor(random() * 3)]);
    for (let round = 0; round < 300; round += 1) {
      const [before, after] = [text(), text()];
      const lines = changedLines(before.join("\n"), after.join("\n"));
      const side = (kind: "added" | "removed") => lines.filter((line) => line.kind !== kind).map((line) => line.text);
      expect(side("added").join("\n")).toBe(before.join("\n"));
      expect(side("removed").join("\n")).toBe(after.join("\n"));
    }
  });
});
