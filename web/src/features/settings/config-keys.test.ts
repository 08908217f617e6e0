import { expect, test } from "vitest";
import { readIn, shownIn, type Unit } from "./config-keys";

test.each([
  [98_304, "KiB", "96"],
  [26_214_400, "MiB", "25"],
  [64_000_000, "MB", "64"],
  [64_000_000, "MiB", "61.03515625"],
  [0, "minutes", "0"],
] as [number, Unit, string][])("%d in %s is %s, and back", (value, unit, text) => {
  expect(shownIn(value, unit)).toBe(text);
  expect(readIn(text, unit)).toBe(value);
});

test.each(["", "x", "-1", "1.5", "1e3", "99999999999999999999"])("“%s” is no count", (text) => {
  expect(readIn(text, "none")).toBeNull();
});
