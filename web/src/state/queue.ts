import type { Id } from "../api/types";
import type { ChatState } from "./apply";

/** A message that waits for its turn: what the person wrote, and the run that will answer it. */
export interface Queued {
  run: Id;
  agent: string;
  text: string;
  /** The two messages of the chat that belong to it. */
  messages: Id[];
}

/** The queued runs in their order. The text stands in the user's message, agent and run in the one it will fill. */
export function queuedOf(state: ChatState | null): Queued[] {
  const queued: Queued[] = [];
  let asked: { id: Id; text: string } | null = null;
  for (const id of state?.order ?? []) {
    const entry = state?.entries.get(id);
    if (!entry) continue;
    const { role, status, run_id: run, agent } = entry.head;
    if (role === "user") {
      asked = { id, text: entry.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
    } else if (status === "queued" && run) {
      queued.push({ run, agent: agent ?? "", text: asked?.text ?? "", messages: asked ? [asked.id, id] : [id] });
      asked = null;
    }
  }
  return queued;
}
