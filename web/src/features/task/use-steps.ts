import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Id } from "../../api/types";
import { useKeys } from "../../app/use-keys";

/** Pixels by which a turn may begin above the pane and still be the one that is read. */
const SLACK = 8;

interface Steps {
  /** Shows a turn from its beginning, and gives it the focus. */
  show(id: Id): void;
  /** To be told of each turn that is made: it may be the one that was asked for. */
  appeared(element: HTMLElement): void;
}

/** Keys that go from turn to turn, and the way to one of them. */
export function useSteps(
  list: RefObject<VirtualizerHandle | null>,
  scroller: RefObject<HTMLElement | null>,
  settled: readonly Id[],
  letGo: () => void,
): Steps {
  const wanted = useRef<Id | null>(null);
  const turns = useRef(settled);
  useLayoutEffect(() => {
    turns.current = settled;
  }, [settled]);

  const show = useCallback(
    (id: Id) => {
      const index = turns.current.indexOf(id);
      if (index === -1) return;
      letGo();
      list.current?.scrollToIndex(index, { align: "start" });
      const element = document.getElementById(id);
      wanted.current = element ? null : id;
      element?.focus({ preventScroll: true });
    },
    [list, letGo],
  );

  const appeared = useCallback((element: HTMLElement) => {
    // A turn is hidden, and cannot have the focus, until it was measured.
    const focus = () => {
      if (element.id !== wanted.current || !element.isConnected) return;
      element.focus({ preventScroll: true });
      if (document.activeElement === element) wanted.current = null;
      else requestAnimationFrame(focus);
    };
    focus();
  }, []);

  const step = (delta: 1 | -1) => {
    const handle = list.current;
    const box = scroller.current;
    if (!handle || !box || settled.length === 0) return false;
    const focused = document.activeElement?.closest("[data-role]")?.id;
    const held = focused === undefined ? -1 : settled.indexOf(focused);
    const read = handle.findItemIndex(handle.scrollOffset + SLACK);
    // On the way up a turn that is read in its middle is gone to first.
    const begins = document.getElementById(settled[read] ?? "")?.getBoundingClientRect().top ?? 0;
    const inside = delta === -1 && begins < box.getBoundingClientRect().top - SLACK;
    // At the end the last one was read, however many begin in sight.
    const ended = delta === -1 && box.scrollHeight - box.scrollTop - box.clientHeight <= 1;
    const next = held !== -1 ? held + delta : ended ? settled.length - 1 : inside ? read : read + delta;
    const id = settled[Math.max(0, Math.min(settled.length - 1, next))];
    if (id !== undefined) show(id);
    return true;
  };
  useKeys({ nextTurn: () => step(1), previousTurn: () => step(-1) });
  return { show, appeared };
}
