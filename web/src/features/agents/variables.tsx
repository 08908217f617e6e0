import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { setVariable } from "../../api/calls";
import type { Agent, AgentVariable } from "../../api/types";
import { ErrorNote } from "../../ui/error-note";
import { Part } from "./facts";

/** What of the environment decides whose account the agent uses, by name, and whether it gets it. */
export function Variables({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const change = useMutation({
    mutationFn: ({ name, policy }: Pick<AgentVariable, "name" | "policy">) => setVariable(agent.id, name, policy),
  });
  if (agent.variables.length === 0) return null;
  return (
    <Part title={t("agents.variables.title")}>
      <p className="mb-2 text-muted">{t("agents.variables.lead")}</p>
      <ul className="divide-y divide-line">
        {agent.variables.map((variable) => (
          <Row
            key={variable.name}
            variable={variable}
            isBusy={change.isPending}
            onChange={(policy) => change.mutate({ name: variable.name, policy })}
          />
        ))}
      </ul>
      {change.error && <ErrorNote error={change.error} />}
    </Part>
  );
}

interface RowProps {
  variable: AgentVariable;
  isBusy: boolean;
  onChange(policy: AgentVariable["policy"]): void;
}

function Row({ variable: { name, kind, policy, present }, isBusy, onChange }: RowProps) {
  const { t } = useTranslation();
  const about = [t(`agents.variables.${kind}`), ...(present ? [] : [t("agents.variables.absent")])].join(" · ");
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-1.5">
      <span className="min-w-0 grow">
        <code className="break-all">{name}</code> <span className="text-muted">{about}</span>
      </span>
      {kind === "set" ? (
        <span className="text-muted">{t("agents.variables.passed")}</span>
      ) : (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={policy === "pass"}
            disabled={isBusy}
            aria-label={t("agents.variables.passLabel", { name })}
            onChange={(event) => onChange(event.currentTarget.checked ? "pass" : "block")}
          />
          {t("agents.variables.pass")}
        </label>
      )}
    </li>
  );
}
