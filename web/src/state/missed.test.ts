import { expect, test } from "vitest";
import type { Link, Message } from "../api/types";
import { headOf, taskOf } from "../testing/world";
import { fromSnapshot } from "./apply";
import { missedBy } from "./missed";

test("what an agent has missed are the settled messages after its cursor", () => {
  const statuses = ["done", "error", "done", "streaming", "queued"] as const;
  const messages = statuses.map((status, index): Message => Object.assign(headOf("t", index + 1, { status }), { parts: [] }));
  const seen: Link = {
    task_id: "t",
    agent: "a",
    state: "ready",
    detail: null,
    options: [],
    commands: [],
    usage: null,
    has_session: true,
    seen_ordinal: 2,
    skipped_options: [], silent_since: null,
  };
  const state = fromSnapshot({ task: taskOf("t"), messages, has_more: false, requests: [], links: [seen], seq: 1 });
  expect(missedBy(state, "a")).toBe(1);
  expect(missedBy(state, "new")).toBe(3);
  expect(missedBy(null, "a")).toBe(0);
});
