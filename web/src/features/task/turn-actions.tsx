import { Play, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { continueMessage } from "../../api/calls";
import type { Id, MessageHead } from "../../api/types";
import { useAgents, useTopic } from "../../app/context";
import type { ChatState } from "../../state/apply";
import { queuedOf } from "../../state/queue";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { LoginPrompt } from "../login/login-prompt";
import { useIsActive } from "./use-is-active";
import { useRetry } from "./use-retry";

/** What can be done about a turn that did not end well, while nothing has followed it. */
export function TurnActions({ store, head }: { store: TaskStore; head: MessageHead }) {
  const last = useTopic(store, "heads", ({ state }) => lastSettled(state));
  const ways = waysOn(head);
  if (last !== head.id || ways.length === 0) return null;
  return <Buttons store={store} head={head} ways={ways} />;
}

type Way = "continue" | "retry" | "other";

/** What makes sense after each end of a turn; the first is what most would do. */
export function waysOn(head: MessageHead): Way[] {
  if (head.status === "interrupted") return ["continue", "retry"];
  if (head.status === "error") return ["retry", "other"];
  if (head.status === "cancelled") return ["retry"];
  if (head.status === "done" && head.stop_reason === "refusal") return ["retry", "other"];
  if (head.status === "done" && (head.stop_reason === "max_tokens" || head.stop_reason === "max_turn_requests")) return ["retry"];
  return [];
}

function Buttons({ store, head, ways }: { store: TaskStore; head: MessageHead; ways: Way[] }) {
  const { t } = useTranslation();
  const agents = useAgents();
  const active = useIsActive(store);
  const { retry, busy: retrying, error: refused } = useRetry(head.id);
  // One name for the act on this message: a second click, or one after a lost answer, does nothing more.
  const [nonce] = useState(() => crypto.randomUUID());
  const [failure, setFailure] = useState<unknown>(null);
  const [going, setGoing] = useState(false);
  const goOn = () => {
    setGoing(true);
    setFailure(null);
    continueMessage(head.id, nonce)
      .catch(setFailure)
      .finally(() => setGoing(false));
  };
  const error = refused ?? failure;
  const blocked = active || retrying || going;
  const other = [...agents.values()].find((agent) => agent.state === "ready" && agent.id !== head.agent);
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <LoginPrompt store={store} head={head} retry={retry} />
      <div className="flex flex-wrap gap-1.5">
        {ways.includes("continue") && (
          <Button disabled={blocked} title={t("message.continueHint")} onClick={goOn}>
            <Play size={14} aria-hidden />
            {t("message.continue")}
          </Button>
        )}
        {ways.includes("retry") && (
          <Button disabled={blocked} title={t("message.retryHint")} onClick={() => retry()}>
            <RotateCcw size={14} aria-hidden />
            {t("message.retry")}
          </Button>
        )}
        {ways.includes("other") && other && (
          <Button look="quiet" disabled={blocked} title={t("message.retryHint")} onClick={() => retry(other.id)}>
            {t("turn.retryWith", { agent: other.name })}
          </Button>
        )}
      </div>
    </>
  );
}

/** The last message that does not wait for its turn. */
function lastSettled(state: ChatState | null): Id | undefined {
  const waiting = new Set(queuedOf(state).flatMap(({ messages }) => messages));
  return state?.order.findLast((id) => !waiting.has(id));
}
