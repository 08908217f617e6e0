import { useEffect, useMemo, useState } from "react";
import type { Id } from "../../api/types";

/** Pixels of the window for each turn that is drawn first: no turn takes less of them, with all else that is in the window. */
const SHORTEST = 80;

/**
 * The turns that are in the list: at first the newest that fill the pane, and all once they have been painted. A list that
 * begins with all of them begins at its start, and is drawn three times before it stands at its end.
 */
export function useDrawn(settled: readonly Id[]): { drawn: readonly Id[]; whole: boolean } {
  const [first] = useState(() => Math.ceil(innerHeight / SHORTEST));
  const [whole, setWhole] = useState(false);
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
