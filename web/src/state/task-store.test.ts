import { describe, expect, test } from "vitest";
import type { Chat, FeedEvent } from "../api/types";
import { headOf, taskOf, VirtualTime } from "../testing/world";
import { TaskStore, type Topic } from "./task-store";

const chat = (seq: number, text: string): Chat => ({
  task: taskOf("t"),
  messages: [
    { ...headOf("t", 1), parts: [{ type: "text", text }] },
    { ...headOf("t", 2), parts: [] },
  ],
  has_more: false,
  requests: [],
  links: [],
  seq,
});

const append = (seq: number, at: number, text: string): FeedEvent => ({
  seq,
  kind: "part.append",
  data: { task_id: "t", message_id: "t-m1", index: 0, at, text },
});

/** A store whose snapshots and frames come when the test says so. */
function open() {
  const time = new VirtualTime();
  const asked: { resolve(chat: Chat): void; reject(error: unknown): void }[] = [];
  const frames: (() => void)[] = [];
  const store = new TaskStore("t", {
    fetchChat: () => new Promise((resolve, reject) => asked.push({ resolve, reject })),
    isFinal: (error) => error === "gone",
    nextFrame: (run) => void frames.push(run),
    delay: time.delay,
  });
  const settle = () => time.runUntil(time.now);
  const draw = () => {
    for (const run of frames.splice(0)) run();
  };
  const text = () => {
    const part = store.part("t-m1", 0);
    return part?.type === "text" ? part.text : null;
  };
  return { store, time, asked, frames, settle, draw, text };
}

describe("an open task", () => {
  test("paints its first snapshot at once and applies events only once the watch is accepted", async () => {
    const { store, asked, settle, draw, text } = open();
    asked[0]?.resolve(chat(10, "a"));
    await settle();
    expect(text()).toBe("a");
    store.receive([append(12, 2, "c")]);
    draw();
    expect(text()).toBe("a");
    store.watched(null);
    asked[1]?.resolve(chat(11, "ab"));
    await settle();
    draw();
    expect(text()).toBe("abc");
    expect(asked).toHaveLength(2);
  });

  test("needs no second snapshot where the first one has reached the accepted place", async () => {
    const { store, asked, settle, draw, text } = open();
    asked[0]?.resolve(chat(10, "a"));
    await settle();
    store.watched(9);
    store.receive([append(10, 0, "a"), append(11, 1, "b")]);
    draw();
    expect(text()).toBe("ab");
    expect(asked).toHaveLength(1);
  });

  test("takes a new snapshot when an append does not fit", async () => {
    const { store, asked, settle, draw, text } = open();
    asked[0]?.resolve(chat(10, "a"));
    await settle();
    store.watched(10);
    store.receive([append(11, 7, "?")]);
    draw();
    asked[1]?.resolve(chat(12, "whole"));
    await settle();
    expect(text()).toBe("whole");
  });

  test("tells only those who follow what changed", async () => {
    const { store, asked, settle, draw } = open();
    asked[0]?.resolve(chat(10, "a"));
    await settle();
    store.watched(10);
    const told: Topic[] = [];
    for (const topic of ["order", "heads", "task", "head:t-m1", "part:t-m1:0", "head:t-m2"] as Topic[]) {
      store.subscribe(topic, () => told.push(topic));
    }
    store.receive([append(11, 1, "b"), append(12, 2, "c")]);
    draw();
    expect(told).toEqual(["part:t-m1:0"]);
  });

  test("draws nothing while no frame comes, as in a hidden tab, and asks for one frame only", async () => {
    const { store, asked, frames, settle, text } = open();
    asked[0]?.resolve(chat(10, "a"));
    await settle();
    store.watched(10);
    store.receive([append(11, 1, "b")]);
    store.receive([append(12, 2, "c")]);
    expect(text()).toBe("a");
    expect(frames).toHaveLength(1);
  });

  test("keeps the older pages that were loaded while a snapshot was on its way", async () => {
    const message = (ordinal: number) => ({ ...headOf("t", ordinal), parts: [] });
    const page = (from: number, to: number, has_more: boolean): Chat => ({
      ...chat(10, ""),
      messages: Array.from({ length: to - from }, (_, index) => message(from + index)),
      has_more,
    });
    const { store, asked, settle } = open();
    asked[0]?.resolve(page(91, 171, true));
    await settle();
    store.watched(null);
    const older = store.loadOlder();
    asked[2]?.resolve(page(11, 91, true));
    await older;
    expect(store.state?.order).toHaveLength(160);
    asked[1]?.resolve(page(91, 171, true));
    await settle();
    asked[3]?.resolve(page(11, 91, true));
    await settle();
    expect(store.state?.order).toHaveLength(160);
    expect(store.state?.order[0]).toBe("t-m11");
  });

  test("says when it is gone for good, and does not ask again", async () => {
    const { store, asked, time } = open();
    asked[0]?.reject("gone");
    await time.runUntil(60_000);
    expect([store.phase, store.error]).toEqual(["failed", "gone"]);
    expect(asked).toHaveLength(1);
  });

  test("asks again by itself when the daemon was away", async () => {
    const { store, asked, time, text } = open();
    asked[0]?.reject("away");
    await time.runUntil(5_000);
    expect(store.phase).toBe("failed");
    asked[1]?.resolve(chat(10, "back"));
    await time.runUntil(5_001);
    expect([store.phase, store.error, text()]).toEqual(["ready", null, "back"]);
  });
});
