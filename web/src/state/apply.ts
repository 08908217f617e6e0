import type { AgentRequest, Chat, FeedEvent, Id, Link, Message, MessageHead, Part, Run, Task } from "../api/types";

/** A message as the page keeps it: head and parts apart, so that growing text leaves the head as it is. */
export interface Entry {
  readonly head: MessageHead;
  readonly parts: readonly Part[];
}

/** What a tab knows of one task's chat. Values are never changed in place: what is equal is the same object. */
export interface ChatState {
  readonly task: Task;
  /** Message ids in the order of their ordinals; the newest window of the chat. */
  readonly order: readonly Id[];
  readonly entries: ReadonlyMap<Id, Entry>;
  /** True while the chat has messages before the first of `order`. */
  readonly hasMore: boolean;
  readonly requests: ReadonlyMap<Id, AgentRequest>;
  readonly links: ReadonlyMap<string, Link>;
  readonly runs: ReadonlyMap<Id, Run>;
  /** How often messages were set aside since this chat was opened. */
  readonly cuts: number;
  /** Everything up to this place in the feed is in this state. */
  readonly seq: number;
  /** An event did not fit what is here: only a new snapshot helps. */
  readonly stale: boolean;
}

/** The state that a snapshot describes. */
export function fromSnapshot(chat: Chat): ChatState {
  return {
    task: chat.task,
    order: chat.messages.map((message) => message.id),
    entries: new Map(chat.messages.map((message) => [message.id, toEntry(message)])),
    hasMore: chat.has_more,
    requests: new Map(chat.requests.map((request) => [request.id, request])),
    links: new Map(chat.links.map((link) => [link.agent, link])),
    runs: new Map(),
    cuts: 0,
    seq: chat.seq,
    stale: false,
  };
}

/**
 * The state after `event`. Events at or before `state.seq` are already in it; events of other tasks only move `seq`.
 * An append whose `at` is not the length of the text here, or a part beyond the end, makes the state stale.
 */
export function applyEvent(state: ChatState, event: FeedEvent): ChatState {
  if (event.seq <= state.seq) return state;
  const moved = { ...state, seq: event.seq };
  const task = state.task.id;
  switch (event.kind) {
    case "task.upsert":
      return event.data.id === task ? { ...moved, task: event.data } : moved;
    case "message.upsert":
      return event.data.task_id === task ? upsertMessage(moved, event.data) : moved;
    case "message.deleted":
      return event.data.task_id === task ? without(moved, (entry) => entry.head.id === event.data.id) : moved;
    case "part.upsert":
      return event.data.task_id === task ? upsertPart(moved, event.data) : moved;
    case "part.append":
      return event.data.task_id === task ? appendText(moved, event.data) : moved;
    case "chat.truncated":
      return event.data.task_id === task ? truncate({ ...moved, cuts: state.cuts + 1 }, event.data.from_ordinal) : moved;
    case "request.upsert":
      return event.data.task_id === task
        ? { ...moved, requests: withEntry(state.requests, event.data.id, event.data) }
        : moved;
    case "link.upsert":
      return event.data.task_id === task ? { ...moved, links: withEntry(state.links, event.data.agent, event.data) } : moved;
    case "run.upsert":
      return event.data.task_id === task ? { ...moved, runs: withEntry(state.runs, event.data.id, event.data) } : moved;
    case "project.upsert":
    case "project.deleted":
    case "task.deleted":
    case "agent.upsert":
      return moved;
    default:
      // A newer daemon may know more kinds. They are no business of this version.
      return event satisfies never, moved;
  }
}

/** Puts an older page in front; one that does not end right before the first message here is left out. */
export function prependPage(state: ChatState, page: Pick<Chat, "messages" | "has_more">, before: number): ChatState {
  const first = state.order[0];
  if (first === undefined || state.entries.get(first)?.head.ordinal !== before) return state;
  const older = page.messages.filter((message) => !state.entries.has(message.id) && message.ordinal < before);
  return {
    ...state,
    order: [...older.map((message) => message.id), ...state.order],
    entries: new Map([...older.map((message) => [message.id, toEntry(message)] as const), ...state.entries]),
    hasMore: page.has_more,
  };
}

/** `next`, but with the objects of `previous` wherever they say the same, so that nothing is drawn anew for nothing. */
export function keepIdentities(previous: ChatState, next: ChatState): ChatState {
  const entries = new Map<Id, Entry>();
  for (const [id, entry] of next.entries) {
    const old = previous.entries.get(id);
    entries.set(id, old ? keepEntry(old, entry) : entry);
  }
  const requests = new Map([...previous.requests].filter(([, request]) => request.state !== "open"));
  for (const [id, request] of next.requests) requests.set(id, request);
  const order = sameItems(previous.order, next.order) ? previous.order : next.order;
  return { ...next, entries, order, requests, runs: previous.runs, cuts: previous.cuts };
}

function keepEntry(old: Entry, entry: Entry): Entry {
  const head = sameJson(old.head, entry.head) ? old.head : entry.head;
  const parts = entry.parts.map((part, index) => {
    const before = old.parts[index];
    return before && sameJson(before, part) ? before : part;
  });
  if (sameItems(old.parts, parts)) return head === old.head ? old : { head, parts: old.parts };
  return { head, parts };
}

function upsertMessage(state: ChatState, data: MessageHead): ChatState {
  // The event carries no parts; what else it may carry beside the head is not kept.
  const { parts: _parts, ...head } = data as MessageHead & { parts?: unknown };
  const known = state.entries.get(head.id);
  if (!known && isBeforeWindow(state, head.ordinal)) return state;
  const entries = withEntry(state.entries, head.id, { head, parts: known?.parts ?? [] });
  if (known?.head.ordinal === head.ordinal) return { ...state, entries };
  const order = known ? [...state.order] : [...state.order, head.id];
  const ordinal = (id: Id) => entries.get(id)?.head.ordinal ?? 0;
  order.sort((a, b) => ordinal(a) - ordinal(b));
  return { ...state, entries, order };
}

function isBeforeWindow(state: ChatState, ordinal: number): boolean {
  const first = state.order[0];
  const firstEntry = first === undefined ? undefined : state.entries.get(first);
  return state.hasMore && firstEntry !== undefined && ordinal < firstEntry.head.ordinal;
}

function upsertPart(state: ChatState, at: { message_id: Id; index: number; part: Part }): ChatState {
  const entry = state.entries.get(at.message_id);
  if (!entry) return state;
  if (at.index > entry.parts.length) return { ...state, stale: true };
  const parts = [...entry.parts];
  parts[at.index] = at.part;
  return { ...state, entries: withEntry(state.entries, at.message_id, { head: entry.head, parts }) };
}

function appendText(state: ChatState, append: { message_id: Id; index: number; at: number; text: string }): ChatState {
  const entry = state.entries.get(append.message_id);
  if (!entry) return state;
  const part = entry.parts[append.index];
  if (part?.type !== "text" && part?.type !== "thought") return { ...state, stale: true };
  if (part.text.length !== append.at) return { ...state, stale: true };
  const parts = [...entry.parts];
  parts[append.index] = { ...part, text: part.text + append.text };
  return { ...state, entries: withEntry(state.entries, append.message_id, { head: entry.head, parts }) };
}

/** Queued messages have no settled place: a cut leaves them, and only a snapshot tells their new ordinals. */
function truncate(state: ChatState, from: number): ChatState {
  const cut = without(state, ({ head }) => head.ordinal >= from && head.status !== "queued");
  const keepsQueued = cut.order.some((id) => (cut.entries.get(id)?.head.ordinal ?? 0) >= from);
  return keepsQueued ? { ...cut, stale: true } : cut;
}

function without(state: ChatState, gone: (entry: Entry) => boolean): ChatState {
  const entries = new Map([...state.entries].filter(([, entry]) => !gone(entry)));
  if (entries.size === state.entries.size) return state;
  return { ...state, entries, order: state.order.filter((id) => entries.has(id)) };
}

function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value);
}

function toEntry(message: Message): Entry {
  const { parts, ...head } = message;
  return { head, parts };
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => key in right && sameJson(left[key], right[key]));
}
