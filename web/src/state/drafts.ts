import type { Attachment, Id } from "../api/types";

export type ChosenValue = string | boolean;

/** What stands in a composer and has not been sent. */
export interface Draft {
  text: string;
  attachments: Pick<Attachment, "id" | "name" | "size" | "mime_type">[];
  /** Paths of files that were mentioned; those whose `@path` is no longer in the text do not count. */
  mentions: string[];
  /** The agent chosen for this message, where it is not the usual one. */
  agent: string | null;
  /** Option values that an agent is to start with, by agent and option. */
  options: Record<string, Record<string, ChosenValue>>;
  /** The name under which it will be sent, the same in every tab: sent from two of them, it is one message. */
  nonce: string | null;
  /** A send whose answer has not come. The same content goes out again under the same nonce. */
  pending: { nonce: string; content: string } | null;
  /** The task that a send from a composer for new tasks has already made. */
  task: Id | null;
}

export const EMPTY_DRAFT: Draft = {
  text: "",
  attachments: [],
  mentions: [],
  agent: null,
  options: {},
  nonce: null,
  pending: null,
  task: null,
};

const PREFIX = "drover:draft:";
/** Drafts longer than this are not written at each key, but when there is a pause. */
const LONG = 20_000;
const PAUSE_MS = 400;

/** Drafts live per composer: `task:<id>`, or `new:<project>` for a task that is not there yet. */
export type DraftKey = `task:${Id}` | `new:${Id}`;

/** A draft as it is stored. `sent`: the one that stood here before was sent by the tab that wrote this. */
type Stored = Partial<Draft> & { sent?: { nonce: string; text: string } };

/**
 * The draft of one composer, kept in the browser's storage and shared by its tabs: what is typed in one shows in the others,
 * except in one that is being typed in itself; and once one of them has sent it, it is gone from all.
 */
export class DraftStore {
  readonly key: DraftKey;
  #isTyping: () => boolean = () => false;
  #draft: Draft;
  /** The last write went through. */
  #kept = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(key: DraftKey) {
    this.key = key;
    this.#draft = { ...EMPTY_DRAFT, ...read(key) };
  }

  get = (): Draft => this.#draft;

  subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) this.#listen(true);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#listen(false);
      this.#flush();
    };
  };

  /** Asks whether the person types into this very composer now, until the answer is called. */
  watchTyping(isTyping: () => boolean): () => void {
    this.#isTyping = isTyping;
    return () => {
      this.#isTyping = () => false;
    };
  }

  /** Changes the draft, in all tabs and for the next reload. */
  change(part: Partial<Draft>): void {
    const next = { ...this.#draft, ...part };
    if (isBlank(next)) next.nonce = null;
    else next.nonce ??= crypto.randomUUID();
    this.#set(next);
    if (next.text.length < LONG) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), PAUSE_MS);
  }

  /** It was sent with this text: what was typed or attached in the meantime is the next message. */
  sent(sent: Pick<Draft, "text" | "attachments" | "nonce">): void {
    const { text, attachments, mentions } = this.#draft;
    const more = attachments.filter(({ id }) => sent.attachments.every((gone) => gone.id !== id));
    // Typed on behind it while it went out, that alone is left.
    const left = text.startsWith(sent.text) ? text.slice(sent.text.length) : text;
    const rest: Draft = { ...EMPTY_DRAFT, text: left, attachments: more, mentions: left === "" ? [] : mentions };
    if (!isBlank(rest)) rest.nonce = crypto.randomUUID();
    this.#set(rest);
    if (sent.nonce !== null) write(this.key, rest, { nonce: sent.nonce, text: sent.text });
    this.#flush();
  }

  /** Throws away what stands here. */
  drop(): void {
    this.#set({ ...EMPTY_DRAFT });
    this.#flush();
  }

  /** Takes text and files along to another composer, where nothing stands yet. A send whose fate is not known stays. */
  moveTo(other: DraftStore): void {
    const { text, attachments, agent, pending, task } = this.#draft;
    const { text: there, attachments: filesThere } = other.get();
    if (other === this || pending !== null || task !== null || there !== "" || filesThere.length > 0) return;
    other.change({ text, attachments, agent });
    this.change({ text: "", attachments: [], mentions: [], agent: null });
  }

  #set(draft: Draft): void {
    this.#draft = draft;
    for (const listener of this.#listeners) listener();
  }

  #flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#kept = write(this.key, this.#draft);
  };

  #listen(on: boolean): void {
    const act = on ? "addEventListener" : "removeEventListener";
    globalThis[act]?.("storage", this.#heard as EventListener);
    globalThis[act]?.("pagehide", this.#flush);
    globalThis[act]?.("pageshow", this.#again as EventListener);
    // Other tabs may have changed it while nobody listened here.
    if (on && this.#kept) this.#draft = { ...EMPTY_DRAFT, ...read(this.key) };
  }

  /** A page that comes out of the back-forward cache has heard nothing of what other tabs did. */
  #again = (event: PageTransitionEvent): void => {
    if (event.persisted) this.#set({ ...EMPTY_DRAFT, ...read(this.key) });
  };

  #heard = (event: StorageEvent): void => {
    if (event.key !== PREFIX + this.key) return;
    const stored = parse(event.newValue);
    const { sent, ...draft } = stored;
    const mine = this.#draft;
    if (sent && sent.nonce === mine.nonce && sent.text !== mine.text) {
      // Another text than the one that went out is another message.
      return this.#set({ ...mine, nonce: crypto.randomUUID(), pending: null });
    }
    const gone = sent && sent.nonce === mine.nonce;
    if (gone || !this.#isTyping()) this.#set({ ...EMPTY_DRAFT, ...draft });
  };
}

const stores = new Map<DraftKey, DraftStore>();

/** The draft of a composer, the same object for as long as the page lives. */
export function draftOf(key: DraftKey): DraftStore {
  const known = stores.get(key);
  if (known) return known;
  const made = new DraftStore(key);
  stores.set(key, made);
  return made;
}

export function dropDraft(task: Id): void {
  // Its composer may still be in the page, and keeps what it holds when it goes.
  draftOf(`task:${task}`).drop();
  stores.delete(`task:${task}`);
}

/** The nonce for a content: the draft's own, unless that was used for another content whose fate is not known. */
export function nonceFor(draft: Draft, content: string): string {
  if (draft.pending && draft.pending.content !== content) return crypto.randomUUID();
  return draft.pending?.nonce ?? draft.nonce ?? crypto.randomUUID();
}

/** The mentioned files that the text still names. */
export function mentionsIn(draft: Pick<Draft, "text" | "mentions">): string[] {
  return draft.mentions.filter((path) => draft.text.includes(`@${path}`));
}

function isBlank(draft: Draft): boolean {
  const chosen = draft.agent !== null || Object.keys(draft.options).length > 0;
  return draft.text === "" && draft.attachments.length === 0 && draft.pending === null && draft.task === null && !chosen;
}

function read(key: DraftKey): Partial<Draft> {
  const { sent: _sent, ...draft } = parse(localStorage.getItem(PREFIX + key));
  return draft;
}

function parse(stored: string | null): Stored {
  if (stored === null) return {};
  try {
    return JSON.parse(stored) as Stored;
  } catch {
    return {};
  }
}

function write(key: DraftKey, draft: Draft, sent?: Stored["sent"]): boolean {
  try {
    if (isBlank(draft) && !sent) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(sent ? { ...draft, sent } : draft));
    return true;
  } catch {
    // The browser's store is full. The text is still in the composer, only a reload would lose it.
    return false;
  }
}
