import { useEffect } from "react";
import { changeTask } from "../../api/calls";
import type { Task } from "../../api/types";

/** A task that is looked at is read. */
export function useMarkRead({ id, unread }: Task): void {
  useEffect(() => {
    if (!unread) return;
    const mark = () => {
      // Unread is a hint: what fails here is tried again at the next look.
      if (!document.hidden) changeTask(id, { read: true }).catch(() => {});
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [id, unread]);
}
