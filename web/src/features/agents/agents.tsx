import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Agent } from "../../api/types";
import { useOverview, useRuntime } from "../../app/context";
import { Button } from "../../ui/button";
import { Prose } from "../../ui/prose";
import { describe } from "./describe";
import { agentPath, canBeInstalled } from "./paths";

/** Every agent in a row that leads to its page, with its state and, where Drover cannot install it, what is missing. */
export function Agents() {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const { agents, agentsProblem } = useOverview();
  return (
    <>
      {agentsProblem && (
        <p role="alert" className="mb-2 rounded-md border border-danger bg-danger-soft px-3 py-2 whitespace-pre-wrap">
          {t("agent.problem", { ...agentsProblem })}
        </p>
      )}
      <ul className="divide-y divide-line">
        {[...agents.values()].map((agent) => (
          <Row key={agent.id} agent={agent} />
        ))}
      </ul>
      <Button className="mt-3" onClick={() => void runtime.overview.load()}>
        {t("agents.lookAgain")}
      </Button>
    </>
  );
}

function Row({ agent }: { agent: Agent }) {
  const { t, i18n } = useTranslation();
  const { install } = agent;
  const description = describe(agent, i18n.language);
  return (
    <li>
      <Link href={agentPath(agent.id)} className="flex min-h-11 items-center gap-3 rounded-md px-2 py-2 hover:bg-hover">
        <span className="min-w-0 grow">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{agent.name}</span>
            <span className={agent.state === "ready" ? "text-ok" : "text-muted"}>{t(`agent.state.${agent.state}`)}</span>
            {agent.version && <span className="text-xs text-muted">{agent.version}</span>}
            {install?.update && (
              <span className="rounded-md bg-accent-soft px-1.5 text-xs">
                {t("agents.install.updateBadge", { version: install.version })}
              </span>
            )}
          </span>
          {description && <span className="block text-muted">{description}</span>}
          {/* What Drover can install says so on its page, with what it takes. */}
          {agent.hint && !install && (
            <span className="block text-xs whitespace-pre-wrap">
              <Prose text={agent.hint} />
            </span>
          )}
          {agentsOwnTrouble(agent) && <span className="block text-xs text-danger">{t("agents.install.failed")}</span>}
        </span>
        {install?.running && <span className="text-xs tabular-nums text-muted">{Math.floor((agent.progress ?? 0) * 100)} %</span>}
        {install && canBeInstalled(agent) && <span className="shrink-0 text-accent">{t("agents.install.button")}</span>}
        <ChevronRight size={16} aria-hidden className="shrink-0 text-muted" />
      </Link>
    </li>
  );
}

const agentsOwnTrouble = (agent: Agent): boolean => agent.install?.failure != null && !agent.install.running;
