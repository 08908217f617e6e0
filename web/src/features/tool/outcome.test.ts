import { expect, test } from "vitest";
import type { ToolCallPart } from "../../api/types";
import { readFence } from "./fence";
import { outcomeOf } from "./outcome";

const call = (more: Partial<ToolCallPart>): ToolCallPart => ({
  type: "tool_call",
  tool_call_id: "t",
  title: "",
  kind: "execute",
  status: "completed",
  content: [],
  locations: [],
  raw_input: null,
  raw_output: null,
  unknown_outcome: false,
  ...more,
});

test.each<[string, Partial<ToolCallPart>, object | null]>([
  ["nothing", {}, null],
  [
    "Codex",
    { raw_input: { command: "ls", cwd: "/x" }, raw_output: { output: "a\n", truncated: false, exit: { exit_code: 2, signal: null } } },
    { command: "ls", output: "a\n", exitCode: 2 },
  ],
  [
    "Claude, who says it in the content too",
    { raw_input: { command: "ls" }, raw_output: "a" as unknown as ToolCallPart["raw_output"], content: [{ type: "content", content: { type: "text", text: "```console\na\n```" } }] },
    { command: "ls", output: null, exitCode: null },
  ],
  ["an argument vector", { raw_input: { command: ["ls", "-l"] } }, { command: "ls -l", output: null, exitCode: null }],
  ["standard output", { raw_output: { stdout: "x", exit_code: 0 } }, { command: null, output: "x", exitCode: 0 }],
])("a command by %s", (_name, more, expected) => {
  expect(outcomeOf(call(more))).toEqual(expected);
});

test.each([
  ["```console\nmade\n```", { language: "console", text: "made" }],
  ["```\n```", { language: "", text: "" }],
  ["````md\n```\nx\n```\n````\n", { language: "md", text: "```\nx\n```" }],
  ["```a\nx\n```\ntext\n```b\ny\n```", null],
  ["text", null],
  ["```a\nnever closed", null],
])("the fence of %j", (text, expected) => {
  expect(readFence(text)).toEqual(expected);
});
