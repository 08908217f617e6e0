import { Play, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { continueMessage, retryMessage } from "../../api/calls";
import type { Id, MessageHead } from "../../api/types";
import { useTopic } from "../../app/context";
import type { ChatState } from "../../state/apply";
import { queuedOf } from "../../state/queue";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";

/** What can be done about a turn that did not end well, while nothing has followed it. */
export function TurnActions({ store, head }: { store: TaskStore; head: MessageHead }) {
  const { t } = useTranslation();
  const last = useTopic(store, "heads", ({ state }) => lastSettled(state));
  // One name for each act on this message: a second click, or one after a lost answer, does nothing more.
  const [nonces] = useState(() => ({ retry: crypto.randomUUID(), continue: crypto.randomUUID() }));
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  if (last !== head.id) return null;
  const act = (call: Promise<unknown>) => {
    setBusy(true);
    setError(null);
    call.catch(setError).finally(() => setBusy(false));
  };
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <div className="flex flex-wrap gap-1.5">
        {head.status === "interrupted" && (
          <Button disabled={busy} onClick={() => act(continueMessage(head.id, nonces.continue))}>
            <Play size={14} aria-hidden />
            {t("message.continue")}
          </Button>
        )}
        <Button disabled={busy} title={t("message.retryHint")} onClick={() => act(retryMessage(head.id, nonces.retry))}>
          <RotateCcw size={14} aria-hidden />
          {t("message.retry")}
        </Button>
      </div>
    </>
  );
}

/** The last message that does not wait for its turn. */
function lastSettled(state: ChatState | null): Id | undefined {
  const waiting = new Set(queuedOf(state).flatMap(({ messages }) => messages));
  return state?.order.findLast((id) => !waiting.has(id));
}
