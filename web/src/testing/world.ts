import type { Chat, FeedEvent, Id, Message, MessageHead, Task } from "../api/types";
import type { HubOutside, StreamEvents } from "../worker/hub";

/** A seeded source of numbers in [0, 1), so that a failing run can be played again. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A clock that only moves when told to, and lets promises settle between two of its events. */
export class VirtualTime {
  now = 0;
  #events: { at: number; order: number; run: () => void }[] = [];
  #order = 0;

  delay = (milliseconds: number, run: () => void): (() => void) => {
    const event = { at: this.now + milliseconds, order: this.#order++, run };
    this.#events.push(event);
    return () => {
      this.#events = this.#events.filter((each) => each !== event);
    };
  };

  async runUntil(end: number): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#events
        .filter((event) => event.at <= end)
        .toSorted((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!next) break;
      this.#events = this.#events.filter((event) => event !== next);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }
}

export function taskOf(id: Id): Task {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    id,
    project_id: null,
    title: id,
    title_source: "prompt",
    cwd: "/home/someone",
    state: "idle",
    queue_held: false,
    archived: false,
    pinned: false,
    unread: false,
    created_at: at,
    updated_at: at,
    last_message_at: at,
  };
}

export function headOf(task: Id, ordinal: number, more: Partial<MessageHead> = {}): MessageHead {
  return {
    id: `${task}-m${ordinal}`,
    task_id: task,
    ordinal,
    role: "assistant",
    origin: "run",
    agent: "scripted",
    status: "streaming",
    run_id: `${task}-r${ordinal}`,
    late: false,
    created_at: "2026-01-01T00:00:00.000Z",
    duration_ms: null,
    stop_reason: null,
    usage: null,
    handoff: null,
    model: null,
    ...more,
  };
}

interface Connection {
  name: string;
  cursor: number;
  tasks: Set<Id> | null;
  events: StreamEvents;
}

const RESTART_GAP = 1_000;

/** A small daemon: messages that grow, a feed with a window, connections that carry the content of some tasks. */
export class ModelDaemon implements Pick<HubOutside, "open" | "setWatched" | "probe"> {
  up = true;
  readonly #time: VirtualTime;
  readonly #random: () => number;
  #feed: FeedEvent[] = [];
  #seq = 10;
  #instance = 1;
  /** Cursors below are answered by `reset`. */
  #oldest = 0;
  /** Numbers that no event ever had, left by restarts. */
  #gaps: [number, number][] = [];
  #messages = new Map<Id, Message[]>();
  #connections = new Set<Connection>();
  #names = 0;

  constructor(time: VirtualTime, random: () => number) {
    this.#time = time;
    this.#random = random;
  }

  texts(task: Id): string[] {
    return (this.#messages.get(task) ?? []).map((message) =>
      message.parts.map((part) => (part.type === "text" ? part.text : "")).join("|"),
    );
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** One thing that an agent might do to a task's chat. */
  act(task: Id): void {
    const messages = this.#messages.get(task) ?? [];
    this.#messages.set(task, messages);
    const last = messages.at(-1);
    const die = this.#random();
    if (!last || die < 0.06) return this.#begin(task, messages);
    if (die < 0.09 && messages.length > 2) return this.#truncate(task, messages);
    const part = last.parts.at(-1);
    if (part?.type !== "text" || die < 0.15) {
      const fresh = { type: "text" as const, text: "" };
      last.parts.push(fresh);
      const data = { task_id: task, message_id: last.id, index: last.parts.length - 1, part: { ...fresh } };
      return this.#emit({ kind: "part.upsert", data });
    }
    const text = `${this.#seq.toString(36)}😀 `;
    const data = { task_id: task, message_id: last.id, index: last.parts.length - 1, at: part.text.length, text };
    part.text += text;
    this.#emit({ kind: "part.append", data });
  }

  snapshot(task: Id): Chat {
    return structuredClone({
      task: taskOf(task),
      messages: this.#messages.get(task) ?? [],
      has_more: false,
      requests: [],
      links: [],
      seq: this.#seq,
    });
  }

  dropConnections(): void {
    for (const connection of Array.from(this.#connections)) this.#close(connection, null);
  }

  /** What the network swallows: the connections stay, but nothing comes through any more. */
  silenceConnections(): void {
    this.#connections.clear();
  }

  stop(): void {
    this.up = false;
    this.dropConnections();
  }

  start(): void {
    if (this.up) return;
    this.up = true;
    this.#gaps.push([this.#seq, this.#seq + RESTART_GAP]);
    this.#seq += RESTART_GAP;
  }

  /** Starts on an empty data directory. */
  startEmpty(): void {
    this.up = true;
    this.#instance += 1;
    this.#feed = [];
    this.#messages.clear();
    this.#seq = Math.floor(this.#random() * 500);
    this.#oldest = 0;
    this.#gaps = [];
  }

  trimFeed(): void {
    this.#feed = this.#feed.slice(-3);
    this.#oldest = (this.#feed[0]?.seq ?? this.#seq + 1) - 1;
  }

  open: HubOutside["open"] = (cursor, tasks, events) => {
    const connection: Connection = { name: `c${++this.#names}`, cursor: 0, tasks: tasks && new Set(tasks), events };
    const cancel = this.#time.delay(this.#random() * 40, () => {
      if (!this.up) return events.closed(null);
      if (this.#random() < 0.1) return events.closed(503);
      this.#connections.add(connection);
      this.#greet(connection, cursor);
      this.#pump(connection);
    });
    return () => {
      cancel();
      this.#connections.delete(connection);
    };
  };

  setWatched: HubOutside["setWatched"] = (name, tasks) =>
    new Promise((resolve) => {
      this.#time.delay(this.#random() * 40, () => {
        const connection = [...this.#connections].find((each) => each.name === name);
        if (!this.up || !connection) return resolve("gone");
        this.#flush(connection, Number.POSITIVE_INFINITY);
        connection.tasks = new Set(tasks);
        this.#time.delay(this.#random() * 40, () => resolve("accepted"));
      });
    });

  probe: HubOutside["probe"] = () =>
    new Promise((resolve) => this.#time.delay(this.#random() * 20, () => resolve(this.up ? "up" : "down")));

  #begin(task: Id, messages: Message[]): void {
    const head = headOf(task, messages.length + 1);
    messages.push({ ...head, parts: [] });
    this.#emit({ kind: "message.upsert", data: head });
  }

  #truncate(task: Id, messages: Message[]): void {
    const from = messages.length - 1;
    messages.splice(from - 1);
    this.#emit({ kind: "chat.truncated", data: { task_id: task, from_ordinal: from } });
  }

  #emit(event: Omit<FeedEvent, "seq">): void {
    this.#seq += 1;
    this.#feed.push(structuredClone({ ...event, seq: this.#seq }) as FeedEvent);
  }

  #greet(connection: Connection, cursor: number | null): void {
    const hello = { connection: connection.name, instance_id: `i${this.#instance}`, seq: this.#seq, version: "1", build: "b" };
    connection.events.frame({ id: undefined, event: "hello", data: JSON.stringify(hello) });
    const inGap = this.#gaps.some(([from, to]) => cursor !== null && cursor > from && cursor < to);
    const unknown = cursor !== null && (cursor < this.#oldest || cursor > this.#seq || inGap);
    connection.cursor = cursor ?? this.#seq;
    if (unknown) this.#reset(connection);
    connection.events.alive();
  }

  #reset(connection: Connection): void {
    connection.cursor = this.#seq;
    connection.events.frame({ id: undefined, event: "reset", data: JSON.stringify({ seq: this.#seq }) });
  }

  #pump(connection: Connection): void {
    this.#time.delay(5 + this.#random() * 30, () => {
      if (!this.#connections.has(connection)) return;
      this.#flush(connection, 1 + Math.floor(this.#random() * 20));
      connection.events.alive();
      this.#pump(connection);
    });
  }

  #flush(connection: Connection, most: number): void {
    if (connection.cursor < this.#oldest) this.#reset(connection);
    const due = this.#feed.filter((event) => event.seq > connection.cursor).slice(0, most);
    for (const event of due) {
      connection.cursor = event.seq;
      if (connection.tasks && "task_id" in event.data && !connection.tasks.has(event.data.task_id)) continue;
      connection.events.frame({ id: String(event.seq), event: event.kind, data: JSON.stringify(event.data) });
    }
  }

  #close(connection: Connection, status: number | null): void {
    if (this.#connections.delete(connection)) connection.events.closed(status);
  }
}
