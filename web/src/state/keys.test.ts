import { expect, test, vi } from "vitest";
import { actionOf, KEYS, keyCaps, type KeyPlace, type KeyPress, KeyRegistry } from "./keys";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  keyCode: 0,
  ...more,
});
const open: KeyPlace = { typing: false, covered: false, apple: false, singleKeys: true };

test.each([
  ["j", {}, {}, "nextTurn"],
  ["J", {}, {}, "nextTurn"],
  ["J", { shiftKey: true }, {}, null],
  ["j", { repeat: true }, {}, "nextTurn"],
  [".", { repeat: true }, {}, null],
  ["?", { shiftKey: true }, {}, "help"],
  ["k", { ctrlKey: true }, {}, "palette"],
  ["k", { ctrlKey: true }, { typing: true }, "palette"],
  ["k", { metaKey: true }, {}, null],
  ["k", { metaKey: true }, { apple: true }, "palette"],
  ["k", { ctrlKey: true }, { apple: true }, null],
  ["k", { ctrlKey: true, altKey: true }, {}, null],
  ["о", { code: "KeyJ" }, {}, "nextTurn"],
  ["л", { code: "KeyK", ctrlKey: true }, {}, "palette"],
  ["j", {}, { typing: true }, null],
  ["j", {}, { covered: true }, null],
  ["j", {}, { singleKeys: false }, null],
  ["k", { ctrlKey: true }, { singleKeys: false }, "palette"],
  ["j", { isComposing: true }, {}, null],
  ["k", { ctrlKey: true, keyCode: 229 }, {}, null],
] as const)("%s with %o in %o is %s", (key, more, place, expected) => {
  expect(actionOf(press(key, more), { ...open, ...place })).toBe(expected);
});

test("no two acts have the same key", () => {
  const chords = Object.values(KEYS);
  expect(new Set(chords).size).toBe(chords.length);
});

test("the last one registered acts, one that declines passes it on, and one that left is not asked", () => {
  const registry = new KeyRegistry();
  const first = vi.fn();
  const second = vi.fn(() => false);
  registry.register("stop", first);
  const leave = registry.register("stop", second);
  expect(registry.run("stop")).toBe(true);
  expect([second.mock.calls.length, first.mock.calls.length]).toEqual([1, 1]);
  leave();
  registry.run("stop");
  expect([second.mock.calls.length, first.mock.calls.length]).toEqual([1, 2]);
  expect(registry.run("edit")).toBe(false);
});

test("keys are named as each system prints them", () => {
  expect(keyCaps("mod+k", true)).toEqual(["⌘", "K"]);
  expect(keyCaps("mod+k", false)).toEqual(["Ctrl", "K"]);
  expect(keyCaps("shift+Enter", false)).toEqual(["Shift", "Enter"]);
});
