import { PAGE } from "../api/calls";
import type { Chat, FeedEvent, Id, MessageHead, Part } from "../api/types";
import { applyEvent, type ChatState, type Entry, fromSnapshot, keepIdentities, prependPage } from "./apply";

/** Messages in one answer, at most. */
const LARGEST_PAGE = 200;
const RETRY_MS = 2_000;
/** Between snapshots while the daemon's reader has not reached what its stream told already. */
const BEHIND_MS = 100;

export interface TaskStoreOutside {
  fetchChat(task: Id, page: { before?: number; limit: number }): Promise<Chat>;
  /** True for a failure that another try will not mend, such as a task that is gone. */
  isFinal(error: unknown): boolean;
  /** Calls back once, at the next moment to draw; not while the tab is hidden. */
  nextFrame(run: () => void): void;
  delay(milliseconds: number, run: () => void): () => void;
}

export type Phase = "loading" | "ready" | "failed";

/**
 * What a listener follows: something of the whole chat (`heads`: any message's head, `content`: any part too), one
 * message's head, its shape (its parts, but for how their texts grow), or one part.
 */
export type Topic = "phase" | "order" | "heads" | "content" | "task" | "requests" | "links" | "runs" | "cuts" | `head:${Id}` | `shape:${Id}` | `part:${Id}:${number}`;

/**
 * One open task: its snapshot, and the events after it. There is one way to be right again, whether at first load,
 * after a gap, on coming back from hidden or from the back-forward cache: take a snapshot once the watch is accepted,
 * drop what it already holds, apply the rest.
 */
export class TaskStore {
  readonly task: Id;
  readonly #outside: TaskStoreOutside;
  readonly #listeners = new Map<Topic, Set<() => void>>();
  #state: ChatState | null = null;
  #phase: Phase = "loading";
  #error: unknown = null;
  #pending: FeedEvent[] = [];
  /** True from an accepted watch to its loss: events are complete in between. */
  #watched = false;
  /** How often a snapshot "from now on" was called for, and how many of these calls the state has answered. */
  #freshCalls = 1;
  #freshAnswered = 0;
  /** The place in the feed that the state must have reached before events may follow. */
  #needsSeq = 0;
  #fetching = false;
  #drawing = false;
  #closed = false;
  #cancelRetry: (() => void) | null = null;
  #older: Promise<void> | null = null;

  constructor(task: Id, outside: TaskStoreOutside, known: ChatState | null = null) {
    this.task = task;
    this.#outside = outside;
    if (known) {
      this.#state = known;
      this.#phase = "ready";
    }
    void this.#fetch();
  }

  get state(): ChatState | null {
    return this.#state;
  }
  get phase(): Phase {
    return this.#phase;
  }
  get error(): unknown {
    return this.#error;
  }

  subscribe(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }

  head(id: Id): MessageHead | undefined {
    return this.#state?.entries.get(id)?.head;
  }

  part(id: Id, index: number): Part | undefined {
    return this.#state?.entries.get(id)?.parts[index];
  }

  /** The watch was accepted: all events after `seq` come, or, where that is null, all from now on. */
  watched(seq: number | null): void {
    this.#watched = true;
    this.#needsSeq = seq ?? 0;
    if (seq === null) this.#freshCalls += 1;
    this.#catchUp();
  }

  /** The watch was given up; events may be missing until it is accepted again. */
  unwatched(): void {
    this.#watched = false;
    this.#pending = [];
  }

  /** Events were lost on the way here. */
  resync(): void {
    // A snapshot asked for from now on holds all that came so far; after a change of database it must not be applied.
    this.#pending = [];
    this.#needsSeq = 0;
    this.#freshCalls += 1;
    this.#catchUp();
  }

  receive(events: readonly FeedEvent[]): void {
    if (this.#closed) return;
    for (const event of events) this.#pending.push(event);
    this.#draw();
  }

  /** Loads the page before the first message here. A call while one is on its way joins it. */
  loadOlder(limit = PAGE): Promise<void> {
    this.#older ??= this.#loadOlder(limit).finally(() => {
      this.#older = null;
    });
    return this.#older;
  }

  /** Loads older pages until a message is here, or all are. */
  async loadBackTo(id: Id): Promise<void> {
    while (this.#state?.hasMore && !this.#state.entries.has(id) && !this.#closed) {
      const first = this.#state.order[0];
      await this.loadOlder(LARGEST_PAGE);
      if (this.#state.order[0] === first) return;
    }
  }

  async #loadOlder(limit: number): Promise<void> {
    const state = this.#state;
    const first = state?.order[0];
    const before = first === undefined ? undefined : state?.entries.get(first)?.head.ordinal;
    if (!state?.hasMore || before === undefined) return;
    const page = await this.#outside.fetchChat(this.task, { before, limit });
    if (this.#state && !this.#closed) this.#replace(prependPage(this.#state, page, before));
  }

  /** Tries again at once after a failure. */
  retry(): void {
    if (this.#phase === "failed") this.#setPhase(this.#state ? "ready" : "loading");
    this.resync();
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#listeners.clear();
  }

  get #complete(): boolean {
    return this.#freshAnswered === this.#freshCalls && this.#state !== null && this.#state.seq >= this.#needsSeq;
  }

  #catchUp(): void {
    if (this.#complete) this.#draw();
    else void this.#fetch();
  }

  async #fetch(): Promise<void> {
    if (this.#fetching || this.#closed) return;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#fetching = true;
    const calls = this.#freshCalls;
    try {
      const chat = await this.#fetchWindow();
      this.#fetching = false;
      if (this.#closed) return;
      this.#takeSnapshot(chat, calls);
    } catch (error) {
      this.#fetching = false;
      if (!this.#closed) this.#failed(error);
    }
  }

  /** The newest messages, as many as are loaded by the time they are here, so that nobody loses the place he reads at. */
  async #fetchWindow(): Promise<Chat> {
    const missing = (have: number) => Math.max(PAGE, this.#state?.order.length ?? 0) - have;
    let chat = await this.#outside.fetchChat(this.task, { limit: Math.min(LARGEST_PAGE, missing(0)) });
    for (;;) {
      const [first] = chat.messages;
      const limit = Math.min(LARGEST_PAGE, missing(chat.messages.length));
      if (!chat.has_more || first === undefined || limit <= 0 || this.#closed) return chat;
      const older = await this.#outside.fetchChat(this.task, { before: first.ordinal, limit });
      if (older.messages.length === 0) return { ...chat, has_more: older.has_more };
      chat = Object.assign({}, chat, { messages: older.messages.concat(chat.messages), has_more: older.has_more });
    }
  }

  /** `calls`: those made before this snapshot was asked for, which it therefore answers. */
  #takeSnapshot(chat: Chat, calls: number): void {
    const next = fromSnapshot(chat);
    this.#error = null;
    this.#freshAnswered = calls;
    this.#replace(this.#state ? keepIdentities(this.#state, next) : next);
    this.#setPhase("ready");
    if (calls !== this.#freshCalls) void this.#fetch();
    else if (this.#complete) this.#draw();
    else this.#cancelRetry = this.#outside.delay(BEHIND_MS, () => void this.#fetch());
  }

  #failed(error: unknown): void {
    this.#error = error;
    if (this.#outside.isFinal(error)) return this.#setPhase("failed", true);
    this.#setPhase(this.#state ? "ready" : "failed", true);
    this.#cancelRetry = this.#outside.delay(RETRY_MS, () => void this.#fetch());
  }

  #draw(): void {
    if (this.#drawing || this.#pending.length === 0) return;
    this.#drawing = true;
    this.#outside.nextFrame(() => {
      this.#drawing = false;
      this.#apply();
    });
  }

  #apply(): void {
    if (!this.#state || !this.#watched || this.#fetching || this.#closed || !this.#complete) return;
    const events = this.#pending;
    this.#pending = [];
    let state = this.#state;
    for (const event of events) {
      state = applyEvent(state, event);
      if (state.stale) break;
    }
    this.#replace(state);
    if (state.stale) this.resync();
  }

  #replace(next: ChatState): void {
    const previous = this.#state;
    this.#state = next;
    for (const topic of changedTopics(previous, next)) this.#tell(topic);
  }

  #setPhase(phase: Phase, always = false): void {
    if (phase === this.#phase && !always) return;
    this.#phase = phase;
    this.#tell("phase");
  }

  #tell(topic: Topic): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }
}

function changedTopics(previous: ChatState | null, next: ChatState): Topic[] {
  const topics: Topic[] = [];
  for (const topic of ["order", "task", "requests", "links", "runs", "cuts"] as const) {
    if (previous?.[topic] !== next[topic]) topics.push(topic);
  }
  if (previous?.hasMore !== next.hasMore) topics.push("order");
  if (previous?.entries === next.entries) return topics;
  topics.push("content");
  let headChanged = previous?.entries.size !== next.entries.size;
  for (const [id, entry] of next.entries) {
    const before = previous?.entries.get(id);
    if (before === entry) continue;
    // A message's head topic also covers how many parts it has; that of all heads also what a person wrote, which a queued
    // message may change and which never streams.
    headChanged ||= before?.head !== entry.head || before.parts.length !== entry.parts.length || entry.head.role === "user";
    if (before?.head !== entry.head || before.parts.length !== entry.parts.length) topics.push(`head:${id}`);
    entry.parts.forEach((part, index) => {
      if (before?.parts[index] !== part) topics.push(`part:${id}:${index}`);
    });
    if (!sameShape(before, entry)) topics.push(`shape:${id}`);
  }
  if (headChanged) topics.push("heads");
  return topics;
}

/** Whether only texts have grown. */
function sameShape(before: Entry | undefined, after: Entry): boolean {
  if (before?.parts.length !== after.parts.length) return false;
  return after.parts.every((part, index) => {
    const old = before.parts[index];
    return old === part || (old?.type === part.type && "text" in part);
  });
}
