import { describe, expect, test } from "vitest";
import { chosenName, readPermission } from "./permission";

const payload = {
  sessionId: "s1",
  toolCall: {
    toolCallId: "new1",
    title: "bash",
    kind: "execute",
    rawInput: { command: "git push --force", timeout: 5 },
    content: [{ type: "diff", path: "/p/a.rs", oldText: null, newText: "x" }],
    locations: [{ path: "/p/a.rs", line: 3 }],
  },
  options: [
    { optionId: "plan", name: "Stay in planning", kind: "reject_once" },
    { optionId: "bypassPermissions", name: "Go, no more questions", kind: "allow_always" },
    { optionId: "later", name: "Ask me later", kind: "defer_once" },
  ],
};

describe("a permission request", () => {
  test("shows command, the rest of the input, content and places, and every option in its order", () => {
    expect(readPermission(payload)).toEqual({
      toolCallId: "new1",
      title: "bash",
      command: "git push --force",
      plan: null,
      input: { timeout: 5 },
      content: payload.toolCall.content,
      locations: payload.toolCall.locations,
      options: [
        { id: "plan", name: "Stay in planning", kind: "reject_once" },
        { id: "bypassPermissions", name: "Go, no more questions", kind: "allow_always" },
        { id: "later", name: "Ask me later", kind: "defer_once" },
      ],
    });
  });

  test("is completed by what its tool call has shown before", () => {
    const known = { title: "Run tests", raw_input: { command: ["cargo", "test"] }, content: null, locations: null };
    expect(readPermission({ toolCall: { toolCallId: "t1" }, options: [] }, known)).toMatchObject({
      title: "Run tests",
      command: '["cargo","test"]',
      options: [],
    });
  });

  test("to leave planning is a plan to read, wherever the agent puts it", () => {
    const plan = "# Plan\n\n1. Read\n2. Write";
    const content = [{ type: "content", content: { type: "text", text: plan } }];
    const ask = (call: object) => readPermission({ toolCall: { toolCallId: "t", title: "Ready?", kind: "switch_mode", ...call }, options: [] });
    expect(ask({ rawInput: { plan, other: 1 }, content })).toMatchObject({ plan, input: { other: 1 }, content: [], title: "Ready?" });
    expect(ask({ rawInput: {}, content })).toMatchObject({ plan, input: null, content: [] });
    expect(ask({ rawInput: {}, content: [] })).toMatchObject({ plan: null, title: "Ready?" });
    expect(readPermission({ toolCall: { kind: "execute", rawInput: { plan: "x" } } })).toMatchObject({ plan: null, input: { plan: "x" } });
  });

  test.each([null, "text", 7, { options: "none" }, { toolCall: [], options: [null, { name: "no id" }] }])("survives %j", (odd) => {
    expect(readPermission(odd)).toMatchObject({ command: null, options: [] });
  });

  test("names the option that was chosen, also one that it does not know", () => {
    expect(chosenName(readPermission(payload), { option_id: "later" })).toBe("Ask me later");
    expect(chosenName(readPermission(payload), { option_id: "gone" })).toBe("gone");
    expect(chosenName(readPermission(payload), { option_id: null })).toBeNull();
  });
});
