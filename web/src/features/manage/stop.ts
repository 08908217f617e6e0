import { cancelRun, getChat } from "../../api/calls";
import type { Id, Task } from "../../api/types";
import type { OverviewStore } from "../../state/overview";

/** A turn runs, so that the task cannot be deleted: neither a held queue nor what goes on in the background is one. */
export const isBusy = (task: Task): boolean => task.state === "running" || task.state === "waiting";

/** Longer than the daemon gives an agent before it ends it. */
const PATIENCE_MS = 20_000;

/** Asks for the stop of whatever runs for the task. */
export async function stopTask(task: Id): Promise<void> {
  const { messages } = await getChat(task);
  const active = messages.filter(({ role, status }) => role === "assistant" && status === "streaming");
  await Promise.all(active.map(({ run_id }) => run_id && cancelRun(run_id)));
}

/** Stops tasks and resolves when nothing runs for any of them. */
export async function stopAndWait(overview: OverviewStore, tasks: readonly Id[]): Promise<void> {
  await Promise.all(tasks.map(stopTask));
  const busy = () => tasks.some((id) => {
    const task = overview.get().tasks.get(id);
    return task !== undefined && isBusy(task);
  });
  await new Promise<void>((resolve, reject) => {
    const end = (act: () => void) => {
      clearTimeout(timer);
      leave();
      act();
    };
    const timer = setTimeout(() => end(() => reject(new Error("An agent did not stop in time."))), PATIENCE_MS);
    const look = () => !busy() && end(resolve);
    const leave = overview.subscribe(look);
    look();
  });
}
