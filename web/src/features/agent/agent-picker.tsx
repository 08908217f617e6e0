import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { Agent } from "../../api/types";
import { useOverview } from "../../app/context";
import { Button } from "../../ui/button";
import { agentPath, canBeInstalled } from "../agents/paths";
import { Menu, MenuChoices, MenuItem } from "../../ui/menu";

/** The agent that a message goes to: the chosen one if it is still there, else the first that is ready. */
export function usualAgent(agents: ReadonlyMap<string, Agent>, ...wanted: (string | null | undefined)[]): Agent | null {
  for (const id of wanted) {
    const agent = id ? agents.get(id) : undefined;
    if (agent) return agent;
  }
  return [...agents.values()].find((agent) => agent.state === "ready") ?? null;
}

/** Lists every agent, those that are ready first, the others with what is missing. One that is not ready can be chosen: it may be by then. */
export function AgentPicker({ agent, onChoose }: { agent: Agent | null; onChoose(id: string): void }) {
  const { t } = useTranslation();
  const { agents, agentsProblem } = useOverview();
  const [, navigate] = useLocation();
  const all = [...agents.values()];
  // How to get one that Drover installs stands on its page.
  const missing = (each: Agent) =>
    [t(`agent.state.${each.state}`), canBeInstalled(each) ? t("agents.install.button") : null, each.install ? null : each.hint].filter(Boolean).join(" · ");
  const choices = (listed: Agent[]) =>
    listed.map((each) => ({
      value: each.id,
      name: each.name,
      note: each.state === "ready" ? undefined : missing(each),
      disabled: (each.state === "not_installed" && !canBeInstalled(each)) || each.state === "installing",
    }));
  const groups = [
    { label: t("agent.ready"), choices: choices(all.filter(({ state }) => state === "ready")) },
    { label: t("agent.notReady"), choices: choices(all.filter(({ state }) => state !== "ready")) },
  ].filter((group) => group.choices.length > 0);
  // One that is not there yet leads to the page that installs it.
  const choose = (id: string) => {
    const chosen = agents.get(id);
    if (chosen && canBeInstalled(chosen)) navigate(agentPath(id));
    else onChoose(id);
  };
  return (
    <Menu
      side="top"
      trigger={
        <Button look="quiet" className="max-w-44 pointer-coarse:min-h-11" aria-label={agent ? t("agent.label", { name: agent.name }) : t("agent.choose")} title={agent?.name}>
          <span className="truncate in-[.picker-sheet]:hidden">{agent?.name ?? t("agent.choose")}</span>
          <span className="hidden truncate in-[.picker-sheet]:inline">{agent ? t("agent.label", { name: agent.name }) : t("agent.choose")}</span>
          <ChevronDown size={14} className="shrink-0" aria-hidden />
        </Button>
      }
    >
      {agentsProblem && (
        <p className="mx-2 mb-1 rounded-md border border-danger bg-danger-soft px-2 py-1 text-xs whitespace-pre-wrap">
          {t("agent.problem", { ...agentsProblem })}
        </p>
      )}
      {groups.length > 0 ? (
        <MenuChoices value={agent?.id ?? null} groups={groups} onChoose={choose} />
      ) : (
        <p className="px-3 py-2 text-muted">{t("agent.none")}</p>
      )}
      <div className="sticky -bottom-1 mt-1 border-t border-line bg-raised py-1">
        <MenuItem onSelect={() => navigate("/settings/agents")}>{t("agent.manage")}</MenuItem>
      </div>
    </Menu>
  );
}

/** What keeps the chosen agent from answering, or that there is none at all, with the way to the page that helps. */
export function AgentTrouble({ agent }: { agent: Agent | null }) {
  const { t } = useTranslation();
  const { agents, loaded } = useOverview();
  const [, navigate] = useLocation();
  if (!loaded || agent?.state === "ready") return null;
  const anyReady = [...agents.values()].some(({ state }) => state === "ready");
  const what = agent ? t(`agent.trouble.${agent.state as Exclude<Agent["state"], "ready">}`, { agent: agent.name }) : null;
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 pb-1 text-xs">
      <p className="min-w-0 flex-1 basis-48 text-muted">{anyReady && what ? what : [what, t("agent.noneReady")].filter(Boolean).join(" ")}</p>
      <Button className="text-xs" onClick={() => navigate("/settings/agents")}>
        {t("agent.setUp")}
      </Button>
    </div>
  );
}
