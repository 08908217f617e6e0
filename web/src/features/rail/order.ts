import { useSyncExternalStore } from "react";
import type { Id } from "../../api/types";
import { isStrings, Stored } from "../../state/stored";

const order = new Stored<readonly Id[]>("project-order", (stored) => (isStrings(stored) ? stored : []));
const folded = new Stored<readonly string[]>("folded", (stored) => (isStrings(stored) ? stored : []));

/** The chosen order of projects, of all tabs of this browser. */
export const useProjectOrder = (): readonly Id[] => useSyncExternalStore(order.subscribe, order.get);
export const saveProjectOrder = (next: readonly Id[]): void => order.set(next);

/** Whether a group of the rail shows its heading only, and the switch for it. */
export function useFolded(group: string): [boolean, () => void] {
  const all = useSyncExternalStore(folded.subscribe, folded.get);
  const now = all.includes(group);
  return [now, () => folded.set(now ? all.filter((each) => each !== group) : [...all, group])];
}
