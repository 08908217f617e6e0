import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { listProcesses, stopProcess } from "../../api/calls";
import type { Agent, AgentProcess } from "../../api/types";
import { tagOf } from "../../i18n";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { ErrorNote } from "../../ui/error-note";
import { byteSize } from "../../ui/format";
import { Time } from "../../ui/time";
import { Part } from "./facts";

/** Memory and processes change by themselves: how often they are looked at while the page is seen. */
const LOOK_MS = 3_000;

/** The agent's processes, each of which can be ended. */
export function Processes({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ["processes", agent.id],
    queryFn: () => listProcesses(agent.id),
    refetchInterval: LOOK_MS,
  });
  const [stopping, setStopping] = useState<AgentProcess | null>(null);
  if (error) return <ErrorNote error={error} />;
  if (!data) return null;
  return (
    <Part title={t("agents.processes.title")}>
      {data.processes.length === 0 && <p className="text-muted">{t("agents.processes.none")}</p>}
      <ul className="divide-y divide-line">
        {data.processes.map((process) => (
          <Row key={process.pid} process={process} onStop={() => setStopping(process)} />
        ))}
      </ul>
      {stopping && (
        <Confirm
          open
          title={t("agents.processes.stopTitle")}
          body={t("agents.processes.stopBody")}
          confirm={t("agents.processes.stop")}
          onConfirm={async () => {
            await stopProcess(agent.id, stopping.pid);
            await refetch();
          }}
          onClose={() => setStopping(null)}
        />
      )}
    </Part>
  );
}

function Row({ process, onStop }: { process: AgentProcess; onStop(): void }) {
  const { t, i18n } = useTranslation();
  const memory = t("agents.processes.memory", { size: byteSize(process.rss_bytes, tagOf(i18n.language)) });
  return (
    <li className="flex items-center gap-3 py-2">
      <span className="min-w-0 grow">
        <span className="flex flex-wrap gap-x-3">
          <span className="tabular-nums">{process.pid}</span>
          <span className="tabular-nums">{memory}</span>
          <Time at={process.started_at} className="text-muted" />
          <Link href={`/t/${process.task_id}`} className="md-link">
            {t("agents.processes.task")}
          </Link>
        </span>
        <code className="block truncate text-xs text-muted" title={process.command}>
          {process.command}
        </code>
      </span>
      <Button aria-label={t("agents.processes.stopLabel", { pid: process.pid })} onClick={onStop}>
        {t("agents.processes.stop")}
      </Button>
    </li>
  );
}
