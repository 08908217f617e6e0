import type { Attachment, Id } from "../api/types";

/** What stands in a composer and has not been sent. */
export interface Draft {
  text: string;
  attachments: Pick<Attachment, "id" | "name" | "size" | "mime_type">[];
  /** The agent chosen for this message, where it is not the usual one. */
  agent: string | null;
  /** A send whose answer never came. The same content goes out again under the same nonce. */
  pending: { nonce: string; content: string } | null;
  /** The task that a send from a composer for new tasks has already made. */
  task: Id | null;
}

export const EMPTY_DRAFT: Draft = { text: "", attachments: [], agent: null, pending: null, task: null };

const PREFIX = "drover:draft:";

/** Drafts live per composer: `task:<id>`, or `new:<project>` for a task that is not there yet. */
export type DraftKey = `task:${Id}` | `new:${Id}`;

export function readDraft(key: DraftKey): Draft {
  const stored = localStorage.getItem(PREFIX + key);
  if (stored === null) return EMPTY_DRAFT;
  try {
    return { ...EMPTY_DRAFT, ...(JSON.parse(stored) as Partial<Draft>) };
  } catch {
    return EMPTY_DRAFT;
  }
}

export function saveDraft(key: DraftKey, draft: Draft): void {
  const empty = draft.text === "" && draft.attachments.length === 0 && draft.agent === null && draft.pending === null;
  try {
    if (empty) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // The browser's store is full. The text is still in the composer, only a reload would lose it.
  }
}

export function dropDraft(task: Id): void {
  localStorage.removeItem(`${PREFIX}task:${task}`);
}

/** The nonce for a content: the one of an unanswered send of the same, else a new one. */
export function nonceFor(draft: Draft, content: string): string {
  return draft.pending?.content === content ? draft.pending.nonce : crypto.randomUUID();
}
