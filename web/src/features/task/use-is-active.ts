import { useTopic } from "../../app/context";
import type { ChatState } from "../../state/apply";
import type { TaskStore } from "../../state/task-store";

const ACTIVE: ReadonlySet<string> = new Set(["starting", "running", "waiting"]);

/**
 * Whether a run of the task is active, so that nothing of its chat can be set aside. A task also waits while an agent asks
 * without working on a message; that is in nobody's way.
 */
export const isActive = ({ state }: TaskStore): boolean => {
  if (state?.task.state === "running") return true;
  if (state?.task.state !== "waiting") return false;
  return asksForARun(state) || [...state.runs.values()].some((run) => ACTIVE.has(run.state));
};

const asksForARun = ({ requests }: ChatState): boolean =>
  [...requests.values()].some((request) => request.state === "open" && request.run_id !== null);

export function useIsActive(store: TaskStore): boolean {
  useTopic(store, "requests", isActive);
  useTopic(store, "runs", isActive);
  return useTopic(store, "task", isActive);
}
