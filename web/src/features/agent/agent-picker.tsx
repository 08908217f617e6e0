import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Agent } from "../../api/types";
import { useAgents } from "../../app/context";
import { Button } from "../../ui/button";
import { Menu, MenuChoices } from "../../ui/menu";

/** The agent that a message goes to: the chosen one if it is still there, else the first that is ready. */
export function usualAgent(agents: ReadonlyMap<string, Agent>, ...wanted: (string | null | undefined)[]): Agent | null {
  for (const id of wanted) {
    const agent = id ? agents.get(id) : undefined;
    if (agent) return agent;
  }
  return [...agents.values()].find((agent) => agent.state === "ready") ?? null;
}

/** Lists every agent with its state and what is missing. One that is not ready can be chosen: sending says why it fails. */
export function AgentPicker({ agent, onChoose }: { agent: Agent | null; onChoose(id: string): void }) {
  const { t } = useTranslation();
  const agents = useAgents();
  const choices = [...agents.values()].map((each) => ({
    value: each.id,
    name: each.name,
    note: each.state === "ready" ? undefined : [t(`agent.state.${each.state}`), each.hint].filter(Boolean).join(" · "),
    disabled: each.state === "not_installed" || each.state === "installing",
  }));
  return (
    <Menu
      side="top"
      trigger={
        <Button look="quiet" className="max-w-44" aria-label={agent ? t("agent.label", { name: agent.name }) : t("agent.choose")}>
          <span className="truncate">{agent?.name ?? t("agent.choose")}</span>
          <ChevronDown size={14} className="shrink-0" aria-hidden />
        </Button>
      }
    >
      {choices.length > 0 ? (
        <MenuChoices value={agent?.id ?? null} groups={[{ label: t("agent.menu"), choices }]} onChoose={onChoose} />
      ) : (
        <p className="px-3 py-2 text-muted">{t("agent.none")}</p>
      )}
    </Menu>
  );
}
