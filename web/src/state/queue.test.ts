import { expect, test } from "vitest";
import type { Message } from "../api/types";
import { headOf, taskOf } from "../testing/world";
import { fromSnapshot } from "./apply";
import { beforeAt, heldBy, queuedOf } from "./queue";

test("a queued message is what was written and the run that will answer it", () => {
  const user = (ordinal: number, text: string): Message => ({
    ...headOf("t", ordinal, { role: "user", origin: "user", agent: null, run_id: null, status: "done" }),
    parts: [{ type: "text", text }],
  });
  const withFile = (message: Message): Message => ({
    ...message,
    parts: [...message.parts, { type: "file", attachment_id: "a", path: null, name: "x", mime_type: null, size: 1 }],
  });
  const answer = (ordinal: number, status: Message["status"]): Message => ({ ...headOf("t", ordinal, { status }), parts: [] });
  const messages = [user(1, "go"), answer(2, "streaming"), user(3, "then"), answer(4, "queued"), withFile(user(5, "last")), answer(6, "queued")];
  const state = fromSnapshot({ task: taskOf("t"), messages, has_more: false, requests: [], links: [], seq: 1 });
  expect(queuedOf(state)).toEqual([
    { run: "t-r4", agent: "scripted", text: "then", files: 0, messages: ["t-m3", "t-m4"] },
    { run: "t-r6", agent: "scripted", text: "last", files: 1, messages: ["t-m5", "t-m6"] },
  ]);
});

test("a move is told by what it comes before", () => {
  expect([0, 1, 2].map((to) => beforeAt(["a", "b", "c"], "a", to))).toEqual(["b", "c", null]);
  expect([0, 1, 2].map((to) => beforeAt(["a", "b", "c"], "c", to))).toEqual(["a", "b", null]);
});

test.each([
  ["error", "error"],
  ["cancelled", "cancelled"],
  ["interrupted", "interrupted"],
  ["done", "other"],
] as const)("a queue behind a turn that is %s is held by %s", (status, why) => {
  const messages: Message[] = [
    { ...headOf("t", 1, { status }), parts: [] },
    { ...headOf("t", 2, { status: "queued" }), parts: [] },
  ];
  expect(heldBy(fromSnapshot({ task: taskOf("t"), messages, has_more: false, requests: [], links: [], seq: 1 }))).toBe(why);
  expect(heldBy(null)).toBe("other");
});
