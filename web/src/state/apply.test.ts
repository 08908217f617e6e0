import { describe, expect, test } from "vitest";
import type { AgentRequest, FeedEvent, MessageHead, Part } from "../api/types";
import { headOf, taskOf } from "../testing/world";
import { applyEvent, type ChatState, fromSnapshot, keepIdentities, prependPage } from "./apply";

const text = (value: string): Part => ({ type: "text", text: value });

function chat(parts: Part[][], seq = 10): ChatState {
  const messages = parts.map((each, index) => ({ ...headOf("t", index + 1), parts: each }));
  return fromSnapshot({ task: taskOf("t"), messages, has_more: false, requests: [], links: [], seq });
}

function apply(state: ChatState, ...events: Omit<FeedEvent, "seq">[]): ChatState {
  return events.reduce((now, event) => applyEvent(now, { ...event, seq: now.seq + 1 } as FeedEvent), state);
}

const append = (message: number, index: number, at: number, added: string) =>
  ({ kind: "part.append", data: { task_id: "t", message_id: `t-m${message}`, index, at, text: added } }) as const;

const partsOf = (state: ChatState, message: number) => state.entries.get(`t-m${message}`)?.parts;

describe("applyEvent", () => {
  test("adds text where it belongs, and leaves every other object as it was", () => {
    const before = chat([[text("a"), text("b")], [text("c")]]);
    const after = apply(before, append(2, 0, 1, "d"));
    expect(partsOf(after, 2)).toEqual([text("cd")]);
    expect(after.entries.get("t-m1")).toBe(before.entries.get("t-m1"));
    expect(after.entries.get("t-m2")?.head).toBe(before.entries.get("t-m2")?.head);
    expect(partsOf(before, 2)).toEqual([text("c")]);
  });

  test("counts the place of an append in UTF-16 units", () => {
    const after = apply(chat([[text("👩‍💻")]]), append(1, 0, "👩‍💻".length, "!"));
    expect(partsOf(after, 1)).toEqual([text("👩‍💻!")]);
  });

  test("is stale after an append elsewhere than at the end", () => {
    expect(apply(chat([[text("abc")]]), append(1, 0, 2, "x")).stale).toBe(true);
    expect(apply(chat([[]]), append(1, 0, 0, "x")).stale).toBe(true);
  });

  test("does nothing twice", () => {
    const once = applyEvent(chat([[text("a")]]), { ...append(1, 0, 1, "b"), seq: 11 });
    expect(applyEvent(once, { ...append(1, 0, 1, "b"), seq: 11 })).toBe(once);
  });

  test("only moves on for what happens to other tasks and to messages before the window", () => {
    const before = { ...chat([[text("a")]]), hasMore: true };
    const first = before.entries.get("t-m1") as { head: MessageHead };
    const windowed: ChatState = {
      ...before,
      entries: new Map([["t-m1", { head: { ...first.head, ordinal: 9 }, parts: [text("a")] }]]),
    };
    const after = apply(
      windowed,
      { kind: "message.upsert", data: headOf("other", 1) },
      { kind: "message.upsert", data: headOf("t", 3) },
      append(3, 0, 0, "x"),
    );
    expect(after).toEqual({ ...windowed, seq: windowed.seq + 3 });
    expect(after.entries).toBe(windowed.entries);
  });

  test("takes a new message, its parts, and an order that changed", () => {
    const after = apply(
      chat([[text("a")]]),
      { kind: "message.upsert", data: headOf("t", 2, { status: "queued" }) },
      { kind: "message.upsert", data: headOf("t", 3, { status: "queued" }) },
      { kind: "part.upsert", data: { task_id: "t", message_id: "t-m2", index: 0, part: text("late") } },
      { kind: "message.upsert", data: { ...headOf("t", 3, { status: "queued" }), ordinal: 2 } },
      { kind: "message.upsert", data: { ...headOf("t", 2, { status: "queued" }), ordinal: 3 } },
    );
    expect(after.order).toEqual(["t-m1", "t-m3", "t-m2"]);
    expect(partsOf(after, 2)).toEqual([text("late")]);
    expect(after.stale).toBe(false);
  });

  test("keeps the parts of a message whose head changes, even if the event carries some", () => {
    const data = { ...headOf("t", 1, { status: "done" }), parts: [] } as MessageHead;
    const after = apply(chat([[text("a")]]), { kind: "message.upsert", data });
    expect(partsOf(after, 1)).toEqual([text("a")]);
    expect(after.entries.get("t-m1")?.head).toEqual(headOf("t", 1, { status: "done" }));
  });

  test("forgets what was dropped and what left the chat", () => {
    const start = chat([[], [], [], []]);
    const dropped = apply(start, { kind: "message.deleted", data: { task_id: "t", id: "t-m4" } });
    expect(dropped.order).toEqual(["t-m1", "t-m2", "t-m3"]);
    expect(apply(dropped, { kind: "chat.truncated", data: { task_id: "t", from_ordinal: 2 } }).order).toEqual(["t-m1"]);
  });

  test("leaves queued messages alone when the chat is cut, and asks how they stand now", () => {
    const queued = apply(chat([[], []]), { kind: "message.upsert", data: headOf("t", 3, { status: "queued" }) });
    const cut = apply(queued, { kind: "chat.truncated", data: { task_id: "t", from_ordinal: 2 } });
    expect(cut.order).toEqual(["t-m1", "t-m3"]);
    expect(cut.stale).toBe(true);
  });

  test("lets an event of a kind it does not know pass", () => {
    const before = chat([[text("a")]]);
    expect(apply(before, { kind: "quota.upsert", data: {} } as never)).toEqual({ ...before, seq: 11 });
  });
});

describe("snapshots", () => {
  test("keep the objects that say the same", () => {
    const before = chat([[text("a")], [text("b")]]);
    const after = keepIdentities(before, chat([[text("a")], [text("b"), text("c")]], 20));
    expect(after.order).toBe(before.order);
    expect(after.entries.get("t-m1")).toBe(before.entries.get("t-m1"));
    expect(after.entries.get("t-m2")?.parts[0]).toBe(before.entries.get("t-m2")?.parts[0]);
    expect(partsOf(after, 2)).toEqual([text("b"), text("c")]);
    expect(after.seq).toBe(20);
  });

  test("show only the open questions of now, beside those that were answered", () => {
    const request = (id: string, state: AgentRequest["state"]) => ({ id, state }) as AgentRequest;
    const before = { ...chat([]), requests: new Map([["1", request("1", "open")], ["2", request("2", "answered")]]) };
    expect([...keepIdentities(before, chat([])).requests.keys()]).toEqual(["2"]);
  });

  test("take an older page in front, once", () => {
    const older = { messages: [{ ...headOf("t", 1), parts: [text("old")] }], has_more: false };
    const loaded = { ...chat([]), hasMore: true, order: ["t-m2"], entries: new Map([["t-m2", { head: headOf("t", 2), parts: [] }]]) };
    const after = prependPage(loaded, older, 2);
    expect(after.order).toEqual(["t-m1", "t-m2"]);
    expect(after.hasMore).toBe(false);
    expect(prependPage(after, older, 2)).toBe(after);
  });
});
