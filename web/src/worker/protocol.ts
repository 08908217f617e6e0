import type { FeedEvent, Id } from "../api/types";

/**
 * What a tab and the holder of the one event stream say to each other. Normally the holder is a SharedWorker; where a
 * browser has none, the same hub runs inside the page and speaks the same words.
 */

/** `connecting` is a short gap; `down`: the daemon does not answer; `signed-out`: this browser is not paired. */
export type StreamState = "connecting" | "live" | "down" | "signed-out";

/** What the daemon said of itself on the present or last connection. */
export interface DaemonInfo {
  instance_id: string;
  version: string;
  /** The hash of the page that this daemon serves. */
  build: string;
}

export type TabMessage =
  /** `lock` is the Web Lock that the tab holds for as long as it lives. */
  | { type: "join"; lock: string }
  | { type: "watch"; task: Id }
  | { type: "unwatch"; task: Id }
  /** The batch `n` was taken in. */
  | { type: "ack"; n: number }
  /** Try to connect now: somebody is looking, or this browser has just been paired. */
  | { type: "wake" }
  | { type: "bye" };

export type HubMessage =
  | { type: "state"; state: StreamState; daemon: DaemonInfo | null }
  /** The next try to connect comes after so many milliseconds. */
  | { type: "retry"; after: number }
  | { type: "events"; n: number; events: FeedEvent[] }
  /** From here on every event of the task comes. `seq`: all after this place; null: all after this moment. */
  | { type: "watched"; task: Id; seq: number | null }
  /** Events are missing. Take snapshots of everything again. */
  | { type: "resync" };

/** One end of a MessagePort, as far as it is used here. */
export interface Port<Out> {
  postMessage(message: Out): void;
}
