import { useEffect, useMemo, useState } from "react";
import type { Id } from "../../api/types";

/** Pixels that the shortest turn takes. */
const SHORTEST = 60;

/**
 * The turns that are in the list: at first the newest that fill the pane, and all once they have been painted. A list that
 * begins with all of them begins at its start, and is drawn three times before it stands at its end.
 */
export function useDrawn(settled: readonly Id[]): { drawn: readonly Id[]; whole: boolean } {
  const [first] = useState(() => Math.ceil(innerHeight / SHORTEST));
  const [whole, setWhole] = useState(settled.length <= first);
  useEffect(() => {
    if (whole) return;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setWhole(true));
    });
    return () => cancelAnimationFrame(frame);
  }, [whole]);
  const drawn = useMemo(() => (whole ? settled : settled.slice(-first)), [settled, whole, first]);
  return { drawn, whole };
}
