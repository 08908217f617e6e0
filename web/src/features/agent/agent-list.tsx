import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Agent } from "../../api/types";
import { useOverview, useRuntime } from "../../app/context";
import { Button } from "../../ui/button";
import { Prose } from "../../ui/prose";

/** Every agent with its state and what is missing. */
export function AgentList() {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const { agents, agentsProblem } = useOverview();
  const listed = [...agents.values()];
  return (
    <>
      {agentsProblem && (
        <p role="alert" className="mb-2 rounded-md border border-danger bg-danger-soft px-3 py-2 whitespace-pre-wrap">
          {t("agent.problem", { ...agentsProblem })}
        </p>
      )}
      {listed.length === 0 && <p className="mb-2 text-muted">{t("first.noAgents")}</p>}
      <ul className="divide-y divide-line">
        {listed.map((agent) => (
          <AgentRow key={agent.id} agent={agent} />
        ))}
      </ul>
      <Button className="mt-3" onClick={() => void runtime.overview.load()}>
        {t("settings.lookAgain")}
      </Button>
    </>
  );
}

function AgentRow({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Link href={`/settings/agents/${encodeURIComponent(agent.id)}`} className="md-link font-medium">
          {agent.name}
        </Link>
        <span className={agent.state === "ready" ? "text-ok" : "text-muted"}>{t(`agent.state.${agent.state}`)}</span>
        <span className="text-xs text-muted">
          {t(`agent.source.${agent.source}`)}
          {agent.version && ` · ${t("agent.version", { version: agent.version })}`}
        </span>
      </p>
      {agent.description && <p className="text-muted">{agent.description}</p>}
      {agent.hint && <p className="whitespace-pre-wrap"><Prose text={agent.hint} /></p>}
    </li>
  );
}
