import { expect, test } from "vitest";
import type { Message } from "../api/types";
import { headOf, taskOf } from "../testing/world";
import { fromSnapshot } from "./apply";
import { queuedOf } from "./queue";

test("a queued message is what was written and the run that will answer it", () => {
  const user = (ordinal: number, text: string): Message => ({
    ...headOf("t", ordinal, { role: "user", origin: "user", agent: null, run_id: null, status: "done" }),
    parts: [{ type: "text", text }],
  });
  const answer = (ordinal: number, status: Message["status"]): Message => ({ ...headOf("t", ordinal, { status }), parts: [] });
  const messages = [user(1, "go"), answer(2, "streaming"), user(3, "then"), answer(4, "queued"), user(5, "last"), answer(6, "queued")];
  const state = fromSnapshot({ task: taskOf("t"), messages, has_more: false, requests: [], links: [], seq: 1 });
  expect(queuedOf(state)).toEqual([
    { run: "t-r4", agent: "scripted", text: "then", messages: ["t-m3", "t-m4"] },
    { run: "t-r6", agent: "scripted", text: "last", messages: ["t-m5", "t-m6"] },
  ]);
});
