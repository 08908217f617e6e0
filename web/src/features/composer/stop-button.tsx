import { Square } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cancelRun } from "../../api/calls";
import type { Id } from "../../api/types";
import { useTopic } from "../../app/context";
import { useKeys } from "../../app/use-keys";
import type { ChatState } from "../../state/apply";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";

/** Stops the run that writes now. There is none to stop when the last message is settled. */
export function StopButton({ store }: { store: TaskStore }) {
  const { t } = useTranslation();
  const run = useActiveRun(store);
  const [stopping, setStopping] = useState<Id | null>(null);
  const [error, setError] = useState<unknown>(null);
  const stop = () => {
    if (!run || stopping === run) return false;
    setStopping(run);
    setError(null);
    cancelRun(run).catch((failure: unknown) => {
      setStopping(null);
      setError(failure);
    });
    return true;
  };
  useKeys({ stop });
  if (!run) return null;
  return (
    <>
      {error !== null && <ErrorNote error={error} lead={t("composer.stopFailed")} onDismiss={() => setError(null)} />}
      <Button disabled={stopping === run} onClick={stop}>
        <Square size={14} aria-hidden />
        {stopping === run ? t("composer.stopping") : t("composer.stop")}
      </Button>
    </>
  );
}

/** The id of the run that is filling a message of this task, if any. */
export function useActiveRun(store: TaskStore): Id | null {
  return useTopic(store, "heads", ({ state }) => activeRun(state));
}

function activeRun(state: ChatState | null): Id | null {
  for (const id of state?.order.toReversed() ?? []) {
    const head = state?.entries.get(id)?.head;
    if (head?.role === "assistant" && head.status === "streaming" && head.run_id) return head.run_id;
  }
  return null;
}
