import type { FeedEvent, Hello, Id } from "../api/types";
import type { DaemonInfo, HubMessage, Port, StreamState, TabMessage } from "./protocol";

/** A frame of the stream. `id` is absent on `hello` and where the daemon gave none. */
export interface Frame {
  id: string | undefined;
  event: string;
  data: string;
}

export interface StreamEvents {
  frame(frame: Frame): void;
  /** Bytes came, be it a comment. */
  alive(): void;
  /** The stream ended or never began; `status` is the HTTP status where one came. */
  closed(status: number | null): void;
}

/** Everything the hub needs from outside, so that a test can be the network, the clock and the dice. */
export interface HubOutside {
  /** Opens a stream. Without a cursor it starts at now; null tasks means the content of all. Returns its abort. */
  open(cursor: number | null, tasks: Id[] | null, events: StreamEvents): () => void;
  setWatched(connection: string, tasks: Id[]): Promise<"accepted" | "gone">;
  probe(): Promise<"up" | "down" | "signed-out">;
  /** Calls back when the tab that holds the lock is gone, however it went. */
  whenReleased(lock: string, gone: () => void): void;
  delay(milliseconds: number, run: () => void): () => void;
  /** In [0, 1). */
  random(): number;
}

interface Member {
  port: Port<HubMessage>;
  lock: string;
  watching: Set<Id>;
  sent: number;
  acknowledged: number;
  /** Sizes of the batches that are not acknowledged yet, oldest first. */
  pendingSizes: number[];
  /** Out of credit: events are dropped until it acknowledges again, then it takes snapshots. */
  dropping: boolean;
  outbox: FeedEvent[];
  outboxSize: number;
}

export const MAX_PENDING_BATCHES = 64;
export const MAX_PENDING_SIZE = 1_000_000;
export const SILENCE_MS = 45_000;
const FIRST_BACKOFF_MS = 500;
const LAST_BACKOFF_MS = 10_000;

/** Holds the one event stream of a browser and hands its events to the tabs. It keeps cursors and sets, never text. */
export class Hub {
  readonly #outside: HubOutside;
  readonly #members = new Map<Port<HubMessage>, Member>();
  #state: StreamState = "connecting";
  #daemon: DaemonInfo | null = null;
  /** The number of the last event that was handed out. */
  #cursor: number | null = null;
  #connection: string | null = null;
  /** Tasks whose content the present connection carries; null while it carries all. */
  #carried: Set<Id> | null = new Set();
  #changing = false;
  #stop: (() => void) | null = null;
  #cancelSilence: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;
  #failures = 0;
  #paused = true;
  /** Counts connections, so that what a former one still says is not heard. */
  #epoch = 0;

  constructor(outside: HubOutside) {
    this.#outside = outside;
  }

  /** Opens the stream. Before this, and after `pause`, there is none. */
  start(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#connect();
  }

  /** Closes the stream and keeps the cursor: `start` goes on where it ended. */
  pause(): void {
    this.#paused = true;
    this.#disconnect();
    this.#setState("connecting");
  }

  receive(port: Port<HubMessage>, message: TabMessage): void {
    if (message.type === "join") return this.#join(port, message.lock);
    const member = this.#members.get(port);
    if (!member) return;
    switch (message.type) {
      case "watch":
        return this.#watch(member, message.task);
      case "unwatch":
        member.watching.delete(message.task);
        return this.#syncWatched();
      case "ack":
        return this.#acknowledge(member, message.n);
      case "wake":
        return this.#wake();
      case "bye":
        return this.#leave(port);
      default:
        return message satisfies never;
    }
  }

  #join(port: Port<HubMessage>, lock: string): void {
    const member: Member = {
      port,
      lock,
      watching: new Set(),
      sent: 0,
      acknowledged: 0,
      pendingSizes: [],
      dropping: false,
      outbox: [],
      outboxSize: 0,
    };
    // Somebody came just now, most likely with a page from the daemon: what was known of it before is old.
    if (this.#state === "down") this.#setState("connecting");
    this.#members.set(port, member);
    this.#wake();
    port.postMessage({ type: "state", state: this.#state, daemon: this.#daemon });
    this.#outside.whenReleased(lock, () => {
      if (this.#members.get(port)?.lock === lock) this.#leave(port);
    });
  }

  #leave(port: Port<HubMessage>): void {
    if (this.#members.delete(port)) this.#syncWatched();
  }

  #watch(member: Member, task: Id): void {
    member.watching.add(task);
    const carried = this.#state === "live" && (this.#carried === null || this.#carried.has(task));
    if (carried) member.port.postMessage({ type: "watched", task, seq: this.#cursor });
    else this.#syncWatched();
  }

  #acknowledge(member: Member, n: number): void {
    while (member.acknowledged < n && member.pendingSizes.length > 0) {
      member.acknowledged += 1;
      member.pendingSizes.shift();
    }
    if (member.dropping && member.pendingSizes.length === 0) {
      member.dropping = false;
      member.port.postMessage({ type: "resync" });
    }
  }

  #wake(): void {
    if (this.#paused || this.#stop !== null) return;
    this.#failures = 0;
    this.#connect();
  }

  #wanted(): Set<Id> {
    const wanted = new Set<Id>();
    for (const member of this.#members.values()) for (const task of member.watching) wanted.add(task);
    return wanted;
  }

  #connect(): void {
    this.#disconnect();
    const epoch = this.#epoch;
    const wanted = this.#wanted();
    // A stream cannot be opened for the content of no task at all: it opens for all and is narrowed after hello.
    this.#carried = wanted.size > 0 ? wanted : null;
    const current = (act: () => void) => {
      if (epoch === this.#epoch) act();
    };
    this.#listenForSilence();
    this.#stop = this.#outside.open(this.#cursor, this.#carried && [...this.#carried], {
      frame: (frame) => current(() => this.#take(frame)),
      alive: () => current(() => this.#alive()),
      closed: (status) => current(() => void this.#lost(status)),
    });
  }

  #disconnect(): void {
    this.#epoch += 1;
    this.#stop?.();
    this.#stop = null;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#cancelSilence?.();
    this.#cancelSilence = null;
    this.#connection = null;
    this.#changing = false;
  }

  #alive(): void {
    this.#flush();
    this.#listenForSilence();
  }

  #listenForSilence(): void {
    this.#cancelSilence?.();
    this.#cancelSilence = this.#outside.delay(SILENCE_MS, () => void this.#lost(null));
  }

  async #lost(status: number | null): Promise<void> {
    this.#flush();
    this.#disconnect();
    const epoch = this.#epoch;
    if (status !== 401) this.#setState(this.#failures === 0 ? "connecting" : this.#state);
    const answer = status === 401 ? "signed-out" : await this.#outside.probe();
    if (epoch !== this.#epoch || this.#paused) return;
    if (answer === "signed-out") this.#setState("signed-out");
    else if (answer === "down" || this.#failures > 0) this.#setState("down");
    const ceiling = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#failures);
    this.#failures += 1;
    const wait = ceiling * (0.5 + this.#outside.random() / 2);
    this.#cancelRetry = this.#outside.delay(wait, () => this.#connect());
    for (const { port } of this.#members.values()) port.postMessage({ type: "retry", after: wait });
  }

  #take(frame: Frame): void {
    switch (frame.event) {
      case "hello":
        return this.#hello(JSON.parse(frame.data) as Hello);
      case "reset":
        this.#cursor = (JSON.parse(frame.data) as { seq: number }).seq;
        return this.#resyncAll();
      default: {
        if (frame.id === undefined) return;
        const seq = Number(frame.id);
        if (frame.event !== "mark") this.#route({ seq, kind: frame.event, data: JSON.parse(frame.data) } as FeedEvent, frame);
        this.#cursor = seq;
      }
    }
  }

  #hello(hello: Hello): void {
    const otherDatabase = this.#daemon !== null && this.#daemon.instance_id !== hello.instance_id;
    this.#daemon = { instance_id: hello.instance_id, version: hello.version, build: hello.build };
    if (otherDatabase) {
      this.#cursor = null;
      return this.#connect();
    }
    this.#connection = hello.connection;
    this.#failures = 0;
    const fresh = this.#cursor === null;
    this.#cursor ??= hello.seq;
    this.#setState("live", true);
    for (const member of this.#members.values()) {
      if (fresh) this.#resync(member);
      for (const task of member.watching) {
        if (this.#carried === null || this.#carried.has(task)) {
          member.port.postMessage({ type: "watched", task, seq: this.#cursor });
        }
      }
    }
    this.#syncWatched();
  }

  #route(event: FeedEvent, frame: Frame): void {
    const content = /^(message|part|chat)\./.test(frame.event);
    const task = content ? (event.data as { task_id?: Id }).task_id : undefined;
    for (const member of this.#members.values()) {
      if (member.dropping || (content && (task === undefined || !member.watching.has(task)))) continue;
      member.outbox.push(event);
      member.outboxSize += frame.data.length;
    }
  }

  /** One batch a tab for everything that one read of the network brought. */
  #flush(): void {
    for (const member of this.#members.values()) {
      if (member.outbox.length === 0) continue;
      const { outbox: events, outboxSize: size } = member;
      member.outbox = [];
      member.outboxSize = 0;
      const pending = member.pendingSizes.reduce((sum, each) => sum + each, 0);
      if (member.pendingSizes.length >= MAX_PENDING_BATCHES || (pending > 0 && pending + size > MAX_PENDING_SIZE)) {
        member.dropping = true;
        continue;
      }
      member.sent += 1;
      member.pendingSizes.push(size);
      member.port.postMessage({ type: "events", n: member.sent, events });
    }
  }

  #resyncAll(): void {
    for (const member of this.#members.values()) this.#resync(member);
  }

  #resync(member: Member): void {
    member.outbox = [];
    member.outboxSize = 0;
    member.port.postMessage({ type: "resync" });
  }

  /** Tells the daemon which tasks the tabs watch, one change at a time. */
  #syncWatched(): void {
    if (this.#state !== "live" || this.#connection === null || this.#changing) return;
    const wanted = this.#wanted();
    const before = this.#carried;
    if (before !== null && before.size === wanted.size && [...before].every((task) => wanted.has(task))) return;
    // Until the answer only what both sets hold is sure to come.
    const kept = before === null ? wanted : new Set([...before].filter((task) => wanted.has(task)));
    this.#carried = kept;
    this.#changing = true;
    const epoch = this.#epoch;
    void this.#outside.setWatched(this.#connection, [...wanted]).then((answer) => {
      if (epoch !== this.#epoch) return;
      this.#changing = false;
      if (answer === "gone") return void this.#lost(null);
      this.#carried = wanted;
      for (const { port, watching } of this.#members.values()) {
        for (const task of watching) {
          if (wanted.has(task) && !kept.has(task)) port.postMessage({ type: "watched", task, seq: null });
        }
      }
      this.#syncWatched();
    });
  }

  #setState(state: StreamState, always = false): void {
    if (state === this.#state && !always) return;
    this.#state = state;
    for (const { port } of this.#members.values()) port.postMessage({ type: "state", state, daemon: this.#daemon });
  }
}
