import { useTranslation } from "react-i18next";
import { isRecord } from "../../api/problem";
import type { Agent } from "../../api/types";
import { useAgentOptions } from "../agent/use-agent-options";
import { Facts, Part } from "./facts";

/** The options and commands of its sessions, as it sent them last: its own words. */
export function Offers({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const { options, commands } = useAgentOptions(agent, { project: null, link: undefined, chosen: undefined });
  const names = commandNames(commands);
  if (options.length === 0 && names.length === 0) return null;
  const rows = options.map((option) => {
    const values = option.kind === "select" ? option.groups.flatMap((group) => group.values.map((value) => value.name)) : [];
    return [option.name, values.length > 0 ? values.join(" · ") : t("agents.offers.onOff")] as const;
  });
  return (
    <Part title={t("agents.offers.title")}>
      <Facts
        rows={[...rows, ...(names.length > 0 ? [[t("agents.offers.commands"), names.map((name) => `/${name}`).join(" ")] as const] : [])]}
      />
    </Part>
  );
}

function commandNames(commands: unknown): string[] {
  if (!Array.isArray(commands)) return [];
  return commands.flatMap((each: unknown) => (isRecord(each) && typeof each.name === "string" ? [each.name] : []));
}
