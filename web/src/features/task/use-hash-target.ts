import { type RefObject, useEffect, useRef } from "react";
import type { Id } from "../../api/types";
import type { TaskStore } from "../../state/task-store";

/** Older pages that are loaded in search of a message that an address names. */
const PAGES = 20;

/** Shows the message that the address names, loading older pages until it is there. */
export function useHashTarget(
  store: TaskStore,
  order: readonly Id[],
  scroller: RefObject<HTMLElement | null>,
  letGo: () => void,
): void {
  const left = useRef(PAGES);
  const done = useRef(false);
  useEffect(() => {
    const wanted = location.hash.slice(1);
    if (wanted === "" || done.current || order.length === 0) return;
    if (order.includes(wanted)) {
      done.current = true;
      letGo();
      scroller.current?.querySelector(`#${CSS.escape(wanted)}`)?.scrollIntoView({ block: "start" });
    } else if (store.state?.hasMore && left.current > 0) {
      left.current -= 1;
      // A page that does not come leaves the reader at the end, where every chat opens.
      store.loadOlder().catch(() => {});
    }
  }, [store, order, scroller, letGo]);
}
