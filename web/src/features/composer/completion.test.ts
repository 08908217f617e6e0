import { expect, test } from "vitest";
import { complete, hintFor, matching, readCommands, triggerAt } from "./completion";

test.each([
  ["@", "file", ""],
  ["see @src/ma", "file", "src/ma"],
  ["(@a", "file", "a"],
  ["看@主", "file", "主"],
  ["two\n@b", "file", "b"],
  ["/", "command", ""],
  ["/pla", "command", "pla"],
])("%j asks for a %s with the letters %j", (text, kind, query) => {
  expect(triggerAt(text, text.length)).toEqual({ kind, query, start: text.length - query.length - 1, end: text.length });
});

test.each(["me@example.org", "a /plan", "/plan it", "@a b", "https://x/@y", "@@", "x"])("%j asks for nothing", (text) => {
  expect(triggerAt(text, text.length)).toBeNull();
});

test("only what stands before the caret counts, and what stands behind it is kept", () => {
  const text = "see @ma and more";
  const trigger = triggerAt(text, 7);
  expect(trigger).toMatchObject({ query: "ma", start: 4, end: 7 });
  expect(trigger && complete(text, trigger, "src/main.rs")).toEqual({ text: "see @src/main.rs and more", caret: 17 });
  expect(complete("/pl", { kind: "command", query: "pl", start: 0, end: 3 }, "plan")).toEqual({ text: "/plan ", caret: 6 });
});

test("commands keep the agent's order and words; those that begin with the letters come first", () => {
  const commands = readCommands([
    { name: "replan", description: "again" },
    { name: "plan", description: "think", input: { hint: "what to plan" } },
    { description: "no name" },
    "noise",
  ]);
  expect(commands.map(({ name }) => name)).toEqual(["replan", "plan"]);
  expect(matching(commands, "PLAN").map(({ name }) => name)).toEqual(["plan", "replan"]);
  expect(matching(commands, "x")).toEqual([]);
  expect(hintFor(commands, "/plan ")).toBe("what to plan");
  expect(hintFor(commands, "/plan the")).toBeNull();
  expect(hintFor(commands, "/replan")).toBeNull();
  expect(readCommands(null)).toEqual([]);
});
