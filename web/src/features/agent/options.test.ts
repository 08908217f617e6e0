import { expect, test } from "vitest";
import type { Agent } from "../../api/types";
import { actsUnasked, currentName, readOptions } from "./options";

test("options keep the agent's order and words, flat or in groups", () => {
  const options = readOptions([
    { id: "effort", name: "Effort", type: "select", currentValue: "high", options: [{ value: "low", name: "Low" }, { value: "high", name: "High", description: "slow" }] },
    { id: "model", name: "Model", category: "model", currentValue: "gone", options: [{ group: "g1", name: "New", options: [{ value: "a", name: "A" }] }, { value: "b" }] },
    { id: "web", name: "Web", type: "boolean", currentValue: true },
    { id: "dial", name: "Dial", type: "slider", min: 0 },
    { name: "no id" },
    "noise",
  ]);
  expect(options).toEqual([
    {
      id: "effort",
      name: "Effort",
      kind: "select",
      current: "high",
      groups: [{ label: null, values: [{ value: "low", name: "Low", note: undefined }, { value: "high", name: "High", note: "slow" }] }],
    },
    {
      id: "model",
      name: "Model",
      kind: "select",
      current: "gone",
      groups: [
        { label: "New", values: [{ value: "a", name: "A", note: undefined }] },
        { label: null, values: [{ value: "b", name: "b", note: undefined }] },
      ],
    },
    { id: "web", name: "Web", kind: "boolean", current: true },
    { id: "dial", name: "Dial", kind: "unknown" },
  ]);
  expect(options.map((option) => (option.kind === "select" ? currentName(option) : null))).toEqual(["High", "gone", null, null]);
});

test.each([null, undefined, {}, "x", 3])("no options come of %j", (advertised) => {
  expect(readOptions(advertised)).toEqual([]);
});

test("a mode that does not ask is told, one that nobody knows is not", () => {
  const agent = (fields: Partial<Agent>) => ({ never_asks: false, unasked: { auto: "judged" }, ...fields }) as Agent;
  const mode = (value: string) => [{ id: "model", currentValue: "auto" }, { id: "m", category: "mode", currentValue: value }];
  expect(actsUnasked(agent({}), mode("auto"))).toBe("judged");
  expect(actsUnasked(agent({}), mode("default"))).toBeNull();
  expect(actsUnasked(agent({}), null)).toBeNull();
  expect(actsUnasked(agent({ never_asks: true }), null)).toBe("everything");
});
