import type { MessageHead } from "../../api/types";
import { retryMessage } from "../../api/calls";
import { useKeys } from "../../app/use-keys";
import { editing } from "../../state/editing";
import type { TaskStore } from "../../state/task-store";
import { textOfTurn } from "./text-of-turn";
import { isActive } from "./use-is-active";

/** The keys of a turn: on the one that has the focus, else on the last that can take them. */
export function useTurnKeys(store: TaskStore, onError: (error: unknown) => void): void {
  useKeys({
    edit: () => {
      const head = isActive(store) ? undefined : chosen(store, (each) => each.role === "user" && each.origin !== "agent" && each.status !== "queued");
      if (!head) return false;
      editing.set({ message: head.id, text: textOfTurn(store, head) });
      return true;
    },
    retry: () => {
      const head = isActive(store) ? undefined : chosen(store, (each) => each.role === "assistant" && each.run_id !== null && each.status !== "queued");
      if (!head) return false;
      retryMessage(head.id, crypto.randomUUID()).catch(onError);
      return true;
    },
  });
}

function chosen(store: TaskStore, fits: (head: MessageHead) => boolean): MessageHead | undefined {
  const focused = document.activeElement?.closest("section[data-role]")?.id;
  const order = store.state?.order ?? [];
  const end = focused === undefined ? order.length : order.indexOf(focused) + 1;
  const before = order.slice(0, end).findLast((id) => headFits(store, id, fits));
  return before === undefined ? undefined : store.head(before);
}

function headFits(store: TaskStore, id: string, fits: (head: MessageHead) => boolean): boolean {
  const head = store.head(id);
  return head !== undefined && fits(head);
}
