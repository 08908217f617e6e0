import { expect, test } from "vitest";
import { type Item, type ItemGroup, search } from "./items";

const item = (label: string, more: Partial<Item> = {}): Item => ({ id: label, label, run: () => {}, ...more });
const groups = (tasks: Item[], actions: Item[] = []): ItemGroup[] => [
  { id: "actions", label: "Actions", items: actions },
  { id: "tasks", label: "Tasks", items: tasks },
];
const found = (tasks: Item[], query: string) => search(groups(tasks), query).flatMap(({ items }) => items.map(({ label }) => label));

test("every word must be found, in any order and in any part", () => {
  const tasks = [item("Fix the parser", { note: "compiler" }), item("Fix the shop"), item("Read the manual", { also: "fixing" })];
  expect(found(tasks, "FIX parser")).toEqual(["Fix the parser"]);
  expect(found(tasks, "compiler fix")).toEqual(["Fix the parser"]);
  expect(found(tasks, "fix")).toEqual(["Fix the parser", "Fix the shop", "Read the manual"]);
  expect(found(tasks, "nothing")).toEqual([]);
});

test("what begins with the word stands before what only holds it", () => {
  const tasks = [item("a prefix"), item("the fix"), item("fix it")];
  expect(found(tasks, "fix")).toEqual(["fix it", "the fix", "a prefix"]);
});

test("without a query the newest few are listed and every action", () => {
  const many = Array.from({ length: 30 }, (_, index) => item(`t${index}`));
  const shown = search(groups(many, many), "");
  expect(shown.map(({ items }) => items.length)).toEqual([30, 6]);
  expect(search(groups([]), "")).toEqual([]);
});

test("what is quiet is listed only when looked for", () => {
  const tasks = [item("Theme: dark", { quiet: true }), item("Theme park")];
  expect(found(tasks, "")).toEqual(["Theme park"]);
  expect(found(tasks, "theme")).toEqual(["Theme: dark", "Theme park"]);
});

test("Chinese is found without blanks", () => {
  expect(found([item("修复解析器"), item("翻译")], "解析")).toEqual(["修复解析器"]);
});
