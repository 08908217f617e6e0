import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Pixels from the end that still count as being there. */
const NEAR = 24;

export interface StickToEnd {
  atEnd: boolean;
  toEnd(): void;
  /** Stops following: the reader is about to be taken elsewhere. */
  letGo(): void;
}

/** Follows growing content while the reader is at its end, and never moves a reader who is not. */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): StickToEnd {
  const [atEnd, setAtEnd] = useState(true);
  const sticking = useRef(true);
  const height = useRef(0);

  const toEnd = useCallback(() => {
    sticking.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);

  const letGo = useCallback(() => {
    sticking.current = false;
    setAtEnd(false);
  }, []);

  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    const place = () => {
      const near = box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR;
      // Growth alone moves nobody away from the end: only a scroll upwards does.
      if (near || box.scrollHeight === height.current) sticking.current = near;
      setAtEnd(sticking.current);
    };
    const grown = new ResizeObserver(() => {
      height.current = box.scrollHeight;
      if (sticking.current) box.scrollTop = box.scrollHeight;
    });
    box.addEventListener("scroll", place, { passive: true });
    grown.observe(inner);
    grown.observe(box);
    return () => {
      box.removeEventListener("scroll", place);
      grown.disconnect();
    };
  }, [scroller, content]);

  return { atEnd, toEnd, letGo };
}
