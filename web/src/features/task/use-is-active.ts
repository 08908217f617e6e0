import { useTopic } from "../../app/context";
import type { TaskStore } from "../../state/task-store";

/** Whether a run of the task is active, so that nothing of its chat can be set aside. */
export const isActive = ({ state }: TaskStore): boolean => state?.task.state === "running" || state?.task.state === "waiting";

export function useIsActive(store: TaskStore): boolean {
  return useTopic(store, "task", isActive);
}
