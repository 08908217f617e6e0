import { expect, test } from "vitest";
import type { Agent, Link } from "../../api/types";
import { actsUnasked, currentName, readOptions, wasStarted, withChosen } from "./options";

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
      category: null,
      kind: "select",
      current: "high",
      groups: [{ label: null, values: [{ value: "low", name: "Low", note: undefined }, { value: "high", name: "High", note: "slow" }] }],
    },
    {
      id: "model",
      name: "Model",
      category: "model",
      kind: "select",
      current: "gone",
      groups: [
        { label: "New", values: [{ value: "a", name: "A", note: undefined }] },
        { label: null, values: [{ value: "b", name: "b", note: undefined }] },
      ],
    },
    { id: "web", name: "Web", category: null, kind: "boolean", current: true },
    { id: "dial", name: "Dial", category: null, kind: "unknown" },
  ]);
  expect(options.map((option) => (option.kind === "select" ? currentName(option) : null))).toEqual(["High", "gone", null, null]);
});

test.each([null, undefined, {}, "x", 3])("no options come of %j", (advertised) => {
  expect(readOptions(advertised)).toEqual([]);
});

test("a mode that does not ask is told, one that nobody knows is not", () => {
  const agent = (fields: Partial<Agent>) => ({ never_asks: false, unasked: { auto: "judged" }, ...fields }) as Agent;
  const mode = (currentValue: string) =>
    readOptions([
      { id: "model", currentValue: "auto", options: [] },
      { id: "m", category: "mode", currentValue, options: [] },
    ]);
  expect(actsUnasked(agent({}), mode("auto"))).toBe("judged");
  expect(actsUnasked(agent({}), mode("default"))).toBeNull();
  expect(actsUnasked(agent({}), [])).toBeNull();
  expect(actsUnasked(agent({ never_asks: true }), [])).toBe("everything");
});

test("what was chosen before the start is shown where it is offered", () => {
  const options = readOptions([
    { id: "model", currentValue: "a", options: [{ group: "g", options: [{ value: "b" }] }, { value: "a" }] },
    { id: "web", type: "boolean", currentValue: false },
    { id: "dial", type: "slider" },
  ]);
  const currents = (chosen: Record<string, string | boolean>) =>
    withChosen(options, chosen).map((option) => (option.kind === "unknown" ? null : option.current));
  expect(currents({ model: "b", web: true, dial: "x" })).toEqual(["b", true, null]);
  expect(currents({ model: "gone", web: "yes" })).toEqual(["a", false, null]);
});

test("an agent was started where it has a session, is on its way to one, or has told its options", () => {
  const link = (more: Partial<Link>) => ({ state: "off", has_session: false, options: [], ...more }) as Link;
  expect([undefined, link({}), link({ state: "failed" })].map(wasStarted)).toEqual([false, false, false]);
  const started = [link({ state: "starting" }), link({ has_session: true }), link({ options: [{ id: "x", options: [] }] })];
  expect(started.map(wasStarted)).toEqual([true, true, true]);
});
