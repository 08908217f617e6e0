import { useEffect, useRef } from "react";
import { changeTask } from "../../api/calls";
import type { Task } from "../../api/types";

/** A task that is looked at is read. */
export function useMarkRead(task: Task): void {
  const asking = useRef({ busy: false, again: false });
  // Each time the daemon tells of it, not only when `unread` changes: it can be read and unread again within one batch.
  useEffect(() => {
    const { id, unread } = task;
    if (!unread) return;
    const asked = asking.current;
    const mark = async () => {
      asked.again = asked.busy;
      if (document.hidden || asked.busy) return;
      asked.busy = true;
      do {
        asked.again = false;
        // Unread is a hint: what fails here is tried again at the next look.
        await changeTask(id, { read: true }).catch(() => {});
      } while (asked.again && !document.hidden);
      asked.busy = false;
    };
    const look = () => void mark();
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [task]);
}
