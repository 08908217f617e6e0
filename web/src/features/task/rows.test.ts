import { describe, expect, test } from "vitest";
import type { Part } from "../../api/types";
import { countKinds, rowsOf } from "./rows";

const call = (kind: string, status = "completed", more: object = {}): Part => ({
  type: "tool_call",
  tool_call_id: "t",
  title: "",
  kind,
  status,
  content: [],
  locations: [],
  raw_input: null,
  raw_output: null,
  unknown_outcome: false,
  ...more,
});
const text: Part = { type: "text", text: "x" };
const thought: Part = { type: "thought", text: "x" };

/** Rows as a person would draw them: `1` a part, `2-4` a run. */
const drawn = (parts: Part[], live = true) => rowsOf(parts, live).map((row) => (row.kind === "part" ? `${row.index}` : `${row.from}-${row.to}`)).join(" ");

describe("rows of a message", () => {
  test.each<[string, Part[], string]>([
    ["nothing", [], ""],
    ["one call stays itself", [call("read")], "0"],
    ["two are a run", [call("read"), call("search")], "0-1"],
    ["text parts them", [call("read"), call("read"), text, call("read"), call("read")], "0-1 2 3-4"],
    ["an edit is seen", [call("read"), call("read"), call("edit"), call("read")], "0-1 2 3"],
    ["a failure is seen", [call("read"), call("execute", "failed"), call("read")], "0 1 2"],
    ["so is what was stopped", [call("execute", "stopped"), call("read")], "0 1"],
    ["and what nobody knows the outcome of", [call("read", "in_progress", { unknown_outcome: true }), call("read")], "0 1"],
    ["and a diff, whatever its kind", [call("other", "completed", { content: [{ type: "diff", path: "a" }] }), call("read")], "0 1"],
    ["thoughts between are in it, others not", [thought, call("read"), thought, call("read"), thought], "0 1-3 4"],
    ["one under way folds with those before", [call("read"), call("read", "in_progress")], "0-1"],
    ["an unknown kind is seen", [call("teleport"), call("read")], "0 1"],
  ])("%s", (_name, parts, expected) => {
    expect(drawn(parts)).toBe(expected);
  });

  test("a call that never ended is seen once its turn has", () => {
    expect(drawn([call("read"), call("read"), call("read", "pending")], false)).toBe("0-1 2");
  });

  test("count their kinds in the order of their first calls", () => {
    const parts = [call("search"), call("read"), thought, call("read"), call("other")];
    expect(countKinds(parts, 0, 4)).toEqual([["search", 1], ["read", 2], ["other", 1]]);
  });
});
