import { useEffect, useRef, useState } from "react";
import { type Draft, type DraftKey, readDraft, saveDraft } from "../../state/drafts";

export interface DraftHandle {
  draft: Draft;
  /** Changes the draft and keeps it for the next reload. */
  change(change: Partial<Draft>): void;
  /** The draft as it is now, also from a callback made earlier. */
  current(): Draft;
}

/** The draft of one composer. Another tab's typing never reaches into this one. */
export function useDraft(key: DraftKey): DraftHandle {
  const [draft, setDraft] = useState(() => readDraft(key));
  const latest = useRef(draft);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const change = (part: Partial<Draft>) => {
    latest.current = { ...latest.current, ...part };
    saveDraft(key, latest.current);
    if (mounted.current) setDraft(latest.current);
  };
  return { draft, change, current: () => latest.current };
}
