import { useSyncExternalStore } from "react";
import type { Draft, DraftStore } from "../../state/drafts";

/** What stands in a composer now. */
export function useDraft(store: DraftStore): Draft {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** One member of it, so that nothing else is drawn anew at each key. */
export function useDraftMember<K extends keyof Draft>(store: DraftStore, member: K): Draft[K] {
  return useSyncExternalStore(store.subscribe, () => store.get()[member]);
}
