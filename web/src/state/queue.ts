import type { Id } from "../api/types";
import type { ChatState } from "./apply";

/** A message that waits for its turn: what the person wrote, and the run that will answer it. */
export interface Queued {
  run: Id;
  agent: string;
  text: string;
  /** How many files go with it. */
  files: number;
  /** The two messages of the chat that belong to it. */
  messages: Id[];
}

/** The queued runs in their order. The text stands in the user's message, agent and run in the one it will fill. */
export function queuedOf(state: ChatState | null): Queued[] {
  const queued: Queued[] = [];
  let asked: { id: Id; text: string; files: number } | null = null;
  for (const id of state?.order ?? []) {
    const entry = state?.entries.get(id);
    if (!entry) continue;
    const { role, status, run_id: run, agent } = entry.head;
    if (role === "user") {
      const texts = entry.parts.filter((part) => part.type === "text");
      asked = { id, text: texts.map(({ text }) => text).join("\n"), files: entry.parts.length - texts.length };
    } else if (status === "queued" && run) {
      queued.push({ run, agent: agent ?? "", text: asked?.text ?? "", files: asked?.files ?? 0, messages: asked ? [asked.id, id] : [id] });
      asked = null;
    }
  }
  return queued;
}

/** Before which run one has to be put to be at `to` of the queue; null is the end. */
export function beforeAt(order: readonly Id[], run: Id, to: number): Id | null {
  return order.filter((each) => each !== run)[to] ?? null;
}

/** How the last turn ended, where that is why the queue is held. */
export function heldBy(state: ChatState | null): "error" | "cancelled" | "interrupted" | "other" {
  for (const id of state?.order.toReversed() ?? []) {
    const head = state?.entries.get(id)?.head;
    if (head?.role !== "assistant" || head.status === "queued") continue;
    const { status } = head;
    return status === "error" || status === "cancelled" || status === "interrupted" ? status : "other";
  }
  return "other";
}
