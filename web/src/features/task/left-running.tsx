import { useQuery } from "@tanstack/react-query";
import { SquareTerminal } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { endProcesses, getRun } from "../../api/calls";
import type { Id, MessageHead, Run } from "../../api/types";
import { useTopic } from "../../app/context";
import { tagOf } from "../../i18n";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { clockTime, exactTime } from "../../ui/format";
import { reveal } from "../../ui/text";

/** Commands that the agent of a stopped turn left running. Nothing ends them but a click, or the end of their agent. */
export function LeftRunning({ store, head }: { store: TaskStore; head: MessageHead }) {
  // Where the agent is gone, so is all that it started.
  const alive = useTopic(store, "links", ({ state }) => {
    const link = state?.links.get(head.agent ?? "");
    return link !== undefined && link.state !== "off" && link.state !== "failed" && link.state !== "parked";
  });
  if (head.status !== "cancelled" || !head.run_id || !alive) return null;
  return <OfRun store={store} run={head.run_id} />;
}

function OfRun({ store, run }: { store: TaskStore; run: Id }) {
  const live = useTopic(store, "runs", ({ state }) => state?.runs.get(run));
  // Runs are told of as they change; how one stands that ended before this page was opened has to be asked.
  const { data } = useQuery({ queryKey: ["run", run], queryFn: () => getRun(run), enabled: live === undefined });
  const processes = (live ?? data)?.processes ?? [];
  return processes.length > 0 ? <Processes run={run} processes={processes} /> : null;
}

function Processes({ run, processes }: { run: Id; processes: Run["processes"] }) {
  const { t, i18n } = useTranslation();
  const [state, setState] = useState<"idle" | "ending" | { error: unknown }>("idle");
  const locale = tagOf(i18n.language);
  const end = () => {
    setState("ending");
    endProcesses(run).catch((error: unknown) => setState({ error }));
  };
  return (
    <section aria-label={t("left.title")} className="flex flex-col gap-1 rounded-md border border-line px-3 py-2">
      <p className="flex items-center gap-1.5">
        <SquareTerminal size={16} className="shrink-0 text-running" aria-hidden />
        {t("left.title")}
      </p>
      <ul className="flex flex-col gap-0.5">
        {processes.map(({ pid, command, started_at: at }) => (
          <li key={pid} className="flex items-baseline gap-2">
            <code className="min-w-0 flex-1 [overflow-wrap:anywhere]">{reveal(command)}</code>
            <span className="shrink-0 text-xs text-muted">
              {t("left.pid", { pid: String(pid) })} <time dateTime={at} title={exactTime(at, locale)}>{clockTime(at, locale)}</time>
            </span>
          </li>
        ))}
      </ul>
      {typeof state === "object" && <ErrorNote error={state.error} />}
      <Button className="self-start" disabled={state === "ending"} onClick={end}>
        {state === "ending" ? t("left.ending") : t("left.end", { count: processes.length })}
      </Button>
    </section>
  );
}
