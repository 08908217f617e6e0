import { type RefObject, useEffect, useMemo, useState } from "react";
import type { Id } from "../../api/types";

/**
 * The places of the turns that stay in the page however far they are scrolled away: that of the focus, those of the selection,
 * and the newest. That one may grow by more than the pane at a time, and the list would take it out for a moment.
 */
export function useKeptTurns(scroller: RefObject<HTMLElement | null>, drawn: readonly Id[]): readonly number[] {
  const focused = useFocusedTurn(scroller);
  const { from, to } = useSelectedTurns(scroller);
  return useMemo(() => {
    const kept = new Set([drawn.length - 1, focused === null ? -1 : drawn.indexOf(focused)]);
    const places = [from, to].map((id) => (id === null ? -1 : drawn.indexOf(id)));
    for (let place = Math.min(...places); place <= Math.max(...places); place += 1) kept.add(place);
    kept.delete(-1);
    return [...kept];
  }, [focused, from, to, drawn]);
}

const turnOf = (node: Node | null): Id | null => {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest("[data-role]")?.id ?? null;
};

/** The turn that has the focus, or in which something has. */
function useFocusedTurn(scroller: RefObject<HTMLElement | null>): Id | null {
  const [focused, setFocused] = useState<Id | null>(null);
  useEffect(() => {
    const { current: box } = scroller;
    const came = ({ target }: FocusEvent) => setFocused(target instanceof Element ? turnOf(target) : null);
    const went = () => setFocused(null);
    box?.addEventListener("focusin", came);
    box?.addEventListener("focusout", went);
    return () => {
      box?.removeEventListener("focusin", came);
      box?.removeEventListener("focusout", went);
    };
  }, [scroller]);
  return focused;
}

interface Ends {
  from: Id | null;
  to: Id | null;
}

const NOTHING: Ends = { from: null, to: null };

/** The turns in which the selection begins and ends, in either order. */
function useSelectedTurns(scroller: RefObject<HTMLElement | null>): Ends {
  const [ends, setEnds] = useState<Ends>(NOTHING);
  useEffect(() => {
    const changed = () => setEnds((before) => {
      const next = selectedIn(scroller.current);
      return next.from === before.from && next.to === before.to ? before : next;
    });
    document.addEventListener("selectionchange", changed);
    return () => document.removeEventListener("selectionchange", changed);
  }, [scroller]);
  return ends;
}

function selectedIn(box: HTMLElement | null): Ends {
  const selection = getSelection();
  if (!box || !selection || selection.isCollapsed) return NOTHING;
  const { anchorNode, focusNode } = selection;
  if (!box.contains(anchorNode) && !box.contains(focusNode)) return NOTHING;
  return { from: turnOf(anchorNode) ?? turnOf(focusNode), to: turnOf(focusNode) ?? turnOf(anchorNode) };
}
