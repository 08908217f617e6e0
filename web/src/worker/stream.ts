import { createParser } from "eventsource-parser";
import type { Id } from "../api/types";
import { send } from "../api/http";
import type { HubOutside, StreamEvents } from "./hub";

/** The hub's outside in a browser: fetch, timers and Web Locks. */
export const browserOutside: HubOutside = {
  open(cursor, tasks, events) {
    const abort = new AbortController();
    void read(cursor, tasks, events, abort.signal);
    return () => abort.abort();
  },
  async setWatched(connection, tasks) {
    const path = `/events/${encodeURIComponent(connection)}`;
    const response = await send(path, { method: "PUT", body: { tasks } }).catch(() => null);
    return response?.ok ? "accepted" : "gone";
  },
  async probe() {
    const response = await send("/status").catch(() => null);
    if (response === null) return "down";
    return response.status === 401 ? "signed-out" : "up";
  },
  whenReleased(lock, gone) {
    void navigator.locks.request(lock, gone);
  },
  delay(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

async function read(cursor: number | null, tasks: Id[] | null, events: StreamEvents, signal: AbortSignal): Promise<void> {
  let status: number | null = null;
  try {
    const search = new URLSearchParams((tasks ?? []).map((task) => ["task", task]));
    if (cursor !== null) search.set("after", String(cursor));
    const query = search.size > 0 ? `?${search}` : "";
    const response = await send(`/events${query}`, { headers: { Accept: "text/event-stream" }, signal });
    status = response.status;
    if (response.ok && response.body) await follow(response.body, events);
  } catch {
    // Whatever broke it, the answer is the same: the hub opens the next one.
  }
  if (!signal.aborted) events.closed(status);
}

async function follow(body: ReadableStream<Uint8Array>, events: StreamEvents): Promise<void> {
  const parser = createParser({
    onEvent: ({ id, event, data }) => events.frame({ id, event: event ?? "message", data }),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    events.alive();
  }
}
