import { CircleHelp, Hourglass, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MessageHead } from "../../api/types";
import { useTopic } from "../../app/context";
import type { ChatState } from "../../state/apply";
import type { TaskStore } from "../../state/task-store";

type Stage = "handing" | "starting" | "login" | "waiting" | "background" | "working";

/** What an agent that has not ended its turn is about. While it waits for the user nothing spins. */
export function TurnProgress({ store, head, agent, empty }: { store: TaskStore; head: MessageHead; agent: string; empty: boolean }) {
  const { t } = useTranslation();
  // Each of these may change what is shown.
  useTopic(store, "requests", ({ state }) => state?.requests);
  useTopic(store, "task", ({ state }) => state?.task);
  useTopic(store, "links", ({ state }) => state?.links);
  const stage = useTopic(store, "runs", ({ state }) => stageOf(state, head, empty));
  const asks = stage === "waiting" || stage === "login";
  const Icon = asks ? CircleHelp : stage === "background" ? Hourglass : LoaderCircle;
  const looks = asks ? "text-accent" : stage === "background" ? "text-muted" : "breathe text-running";
  return (
    <p className="flex items-center gap-1.5 text-muted" data-stage={stage}>
      <Icon size={14} className={`shrink-0 ${looks}`} aria-hidden />
      {t(`message.stage.${stage}`, { agent })}
    </p>
  );
}

/** What the run says, or, where only a snapshot is here, what can be told from the task and its open questions. */
function stageOf(state: ChatState | null, head: MessageHead, empty: boolean): Stage {
  const run = head.run_id ? state?.runs.get(head.run_id)?.state : undefined;
  const asked = [...(state?.requests.values() ?? [])].some(({ state: each, run_id }) => each === "open" && run_id === head.run_id);
  if (asked || run === "waiting") return "waiting";
  if (run === "background" || (run === undefined && state?.task.state === "background")) return "background";
  const link = head.agent ? state?.links.get(head.agent)?.state : undefined;
  if (link === "needs_login") return "login";
  if (empty && (run === "starting" || link === "starting")) return head.handoff ? "handing" : "starting";
  return "working";
}
