import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useAgents, useRuntime } from "../../app/context";
import type { TaskStore } from "../../state/task-store";
import { announce } from "../../ui/announcer";
import { readPermission } from "../request/permission";

/** Says it once when a turn of this task ends and when a question comes. */
export function useAnnouncements(store: TaskStore): void {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const agents = useAgents();
  useEffect(() => {
    const said = new Set<string>();
    return runtime.onEvents((events) => {
      for (const { kind, data } of events) {
        if ((kind !== "run.upsert" && kind !== "request.upsert") || data.task_id !== store.task) continue;
        const agent = agents.get(data.agent)?.name ?? data.agent;
        const mark = `${kind}:${data.id}:${data.state}`;
        if (said.has(mark)) continue;
        said.add(mark);
        if (kind === "request.upsert") {
          if (data.state === "open") announce(t("request.announce", { agent, what: readPermission(data.payload).title }));
        } else if (data.state === "done" || data.state === "error" || data.state === "cancelled" || data.state === "interrupted") {
          announce(t(`announce.${data.state}`, { agent }));
        }
      }
    });
  }, [runtime, store, agents, t]);
}
