import { expect, test } from "vitest";
import { VirtualTime } from "../testing/world";
import { Hub, type HubOutside, type StreamEvents } from "./hub";
import type { HubMessage } from "./protocol";

/** A hub whose daemon is away, and what its tabs are told. */
function awayHub() {
  const time = new VirtualTime();
  const streams: StreamEvents[] = [];
  const daemon = { up: false };
  const outside: HubOutside = {
    open(_cursor, _tasks, events) {
      streams.push(events);
      if (!daemon.up) time.delay(1, () => events.closed(null));
      return () => {};
    },
    setWatched: async () => "accepted",
    probe: async () => (daemon.up ? "up" : "down"),
    whenReleased: () => {},
    delay: time.delay,
    random: () => 0.5,
  };
  const hub = new Hub(outside);
  const join = () => {
    const told: HubMessage[] = [];
    hub.receive({ postMessage: (message) => void told.push(message) }, { type: "join", lock: `lock ${streams.length}` });
    return () => told.flatMap((message) => (message.type === "state" ? [message.state] : []));
  };
  hub.start();
  return { time, streams, daemon, join };
}

const HELLO = JSON.stringify({ instance_id: "i", version: "1", build: "b", connection: "c", seq: 1 });

test("a tab that comes after a long outage does not wait for what was agreed during it", async () => {
  const { time, streams, daemon, join } = awayHub();
  const first = join();
  await time.runUntil(70_000);
  expect(first().at(-1)).toBe("down");
  const before = streams.length;
  daemon.up = true;
  const second = join();
  expect(streams).toHaveLength(before + 1);
  streams.at(-1)?.frame({ id: undefined, event: "hello", data: HELLO });
  expect(second()).toEqual(["connecting", "live"]);
});

test("a tab that comes while the daemon is still away is told so", async () => {
  const { time, join } = awayHub();
  join();
  await time.runUntil(70_000);
  const second = join();
  await time.runUntil(70_100);
  expect(second()).toEqual(["connecting", "down"]);
});
