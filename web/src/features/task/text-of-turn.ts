import type { MessageHead } from "../../api/types";
import type { TaskStore } from "../../state/task-store";

/** The text of a turn as it was written, without thoughts and tools. */
export function textOfTurn(store: TaskStore, head: MessageHead): string {
  const parts = store.state?.entries.get(head.id)?.parts ?? [];
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
