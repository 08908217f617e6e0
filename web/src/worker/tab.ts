import type { FeedEvent, Id } from "../api/types";
import type { DaemonInfo, HubMessage, StreamState, TabMessage } from "./protocol";

/** What a tab wants to hear from the stream. */
export interface TabEvents {
  state(state: StreamState, daemon: DaemonInfo | null): void;
  retry(after: number): void;
  events(events: FeedEvent[]): void;
  watched(task: Id, seq: number | null): void;
  resync(): void;
}

/** The page's end of a port to the hub. */
export interface TabPort {
  postMessage(message: TabMessage): void;
  onmessage: ((event: MessageEvent<HubMessage>) => void) | null;
}

/** One tab's membership: what it watches, and its acknowledgements. A tab can leave (bfcache) and join again. */
export class Tab {
  readonly #port: TabPort;
  readonly #listener: TabEvents;
  readonly #watching = new Map<Id, number>();
  #joined = false;

  constructor(port: TabPort, listener: TabEvents) {
    this.#port = port;
    this.#listener = listener;
    port.onmessage = ({ data }) => this.#receive(data);
  }

  join(lock: string): void {
    this.#joined = true;
    this.#port.postMessage({ type: "join", lock });
    for (const task of this.#watching.keys()) this.#port.postMessage({ type: "watch", task });
  }

  leave(): void {
    this.#joined = false;
    this.#port.postMessage({ type: "bye" });
  }

  /** Several parts of a page may watch one task; `watched` is told again to each. */
  watch(task: Id): void {
    this.#watching.set(task, (this.#watching.get(task) ?? 0) + 1);
    if (this.#joined) this.#port.postMessage({ type: "watch", task });
  }

  unwatch(task: Id): void {
    const left = (this.#watching.get(task) ?? 0) - 1;
    if (left > 0) return void this.#watching.set(task, left);
    this.#watching.delete(task);
    if (this.#joined) this.#port.postMessage({ type: "unwatch", task });
  }

  wake(): void {
    if (this.#joined) this.#port.postMessage({ type: "wake" });
  }

  #receive(message: HubMessage): void {
    switch (message.type) {
      case "state":
        return this.#listener.state(message.state, message.daemon);
      case "retry":
        return this.#listener.retry(message.after);
      case "events":
        this.#listener.events(message.events);
        return this.#port.postMessage({ type: "ack", n: message.n });
      case "watched":
        return this.#listener.watched(message.task, message.seq);
      case "resync":
        return this.#listener.resync();
      default:
        return message satisfies never;
    }
  }
}
