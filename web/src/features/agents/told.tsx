import { useTranslation } from "react-i18next";
import type { Agent } from "../../api/types";
import { advertised, loginsOf } from "./advertised";
import { Facts, Part } from "./facts";

/** What the agent said of itself, in words. */
export function Says({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const able = advertised(agent.capabilities);
  const logins = loginsOf(agent.capabilities);
  return (
    <Part title={t("agents.says.title")}>
      {able === null ? (
        <p className="text-muted">{t("agents.says.none")}</p>
      ) : (
        <ul className="list-disc ps-5">
          {able.map((each) => (
            <li key={each}>{t(`agents.says.${each}`)}</li>
          ))}
          {logins.length > 0 && (
            <li>
              {t("agents.says.logins", { names: logins.join(", ") })}
            </li>
          )}
        </ul>
      )}
    </Part>
  );
}

/** The modes in which it acts without asking the user. */
export function Asking({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const modes = Object.entries(agent.unasked);
  if (modes.length === 0 && !agent.never_asks) return null;
  return (
    <Part title={t("agents.modes.title")}>
      {agent.never_asks && <p>{t("agents.modes.never")}</p>}
      <Facts
        rows={modes.map(([mode, does]) => [t("agents.modes.row", { mode: mode.split("#").at(-1) }), t(`agents.modes.${does}`)] as const)}
      />
    </Part>
  );
}

/** What was seen of it on the wire, and what is done about it here. */
export function Seen({ agent }: { agent: Agent }) {
  const { t, i18n } = useTranslation();
  if (agent.notes.length === 0) return null;
  return (
    <Part title={t("agents.seen.title")}>
      <ul className="space-y-2">
        {agent.notes.map((note) => (
          <li key={note.en} className="flex gap-2">
            <span className={`w-20 shrink-0 ${note.works ? "text-ok" : "text-muted"}`}>
              {t(note.works ? "agents.seen.works" : "agents.seen.otherwise")}
            </span>
            <span>{i18n.language === "zh" ? note.zh : note.en}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
