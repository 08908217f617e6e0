import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Agent } from "../../api/types";
import { useOverview } from "../../app/context";
import { useTitle } from "../../app/title";
import { Page } from "../../ui/page";
import { Prose } from "../../ui/prose";
import { AgentLogin } from "../login/agent-login";
import { describe } from "./describe";
import { Facts, Part } from "./facts";
import { InstallPanel } from "./install-panel";
import { Offers } from "./offers";
import { Processes } from "./processes";
import { Asking, Says, Seen } from "./told";
import { Variables } from "./variables";
import { Versions } from "./versions";

/** Everything about one agent: where it is, how it is installed, what it can do, what of it runs. */
export function AgentPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const { agents, loaded } = useOverview();
  const agent = agents.get(id);
  useTitle([agent?.name ?? t("settings.agents"), t("settings.title")]);
  return (
    <Page title={agent?.name ?? t("settings.agents")}>
      <p className="mt-1 mb-4">
        <Link href="/settings/agents" className="md-link">
          {t("agents.back")}
        </Link>
      </p>
      {agent && <About agent={agent} />}
      {!agent && loaded && <p>{t("agents.unknown")}</p>}
    </Page>
  );
}

function About({ agent }: { agent: Agent }) {
  const { t, i18n } = useTranslation();
  const description = describe(agent, i18n.language);
  const from = agent.found && t(agent.found.managed ? "agents.from.managed" : "agents.from.own");
  const rows: [string, React.ReactNode][] = [
    [t("agents.state"), t(`agent.state.${agent.state}`)],
    ...(agent.version ? [[t("agents.version"), agent.version] as [string, string]] : []),
    ...(agent.found
      ? [[t("agents.where"), <span key="where"><code className="break-all">{agent.found.path}</code> <span className="text-muted">({from})</span></span>] as [string, React.ReactNode]]
      : []),
  ];
  return (
    <>
      {description && <p className="mb-3">{description}</p>}
      <Facts rows={rows} />
      {agent.hint && !agent.install && <p className="mt-2 whitespace-pre-wrap"><Prose text={agent.hint} /></p>}
      {agent.install ? (
        <>
          <InstallPanel agent={agent} install={agent.install} />
          {agent.install.versions.length > 0 && <Versions agent={agent} install={agent.install} />}
        </>
      ) : (
        agent.source === "builtin" && agent.state === "broken" && <Part title={t("agents.install.title")}>{t("agents.install.ownCommand")}</Part>
      )}
      {agent.found && (
        <Part title={t("agents.login")}>
          <AgentLogin agent={agent} />
        </Part>
      )}
      <Variables agent={agent} />
      <Processes agent={agent} />
      <Says agent={agent} />
      <Offers agent={agent} />
      <Asking agent={agent} />
      <Seen agent={agent} />
    </>
  );
}
