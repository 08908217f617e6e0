import { useEffect } from "react";
import { dropDraft } from "../state/drafts";
import { useRuntime } from "./context";

/** The draft of a task goes with the task, wherever it was deleted. */
export function useForgetDrafts(): void {
  const runtime = useRuntime();
  useEffect(
    () =>
      runtime.onEvents((events) => {
        for (const { kind, data } of events) if (kind === "task.deleted") dropDraft(data.id);
      }),
    [runtime],
  );
}
