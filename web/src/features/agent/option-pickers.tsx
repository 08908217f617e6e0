import { useState } from "react";
import { useTranslation } from "react-i18next";
import { connectLink, setOption } from "../../api/calls";
import type { Agent, Link } from "../../api/types";
import { useChat } from "../../app/context";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { readable } from "../../ui/text";
import { OptionList, type PendingOption } from "./option-list";
import type { AgentOption } from "./options";

/** The options of an agent that has been started in a task, set one at a time. */
export function OptionPickers({ store, agent, options }: { store: TaskStore; agent: Agent; options: readonly AgentOption[] }) {
  const { t } = useTranslation();
  const link = useChat(store, "links")?.get(agent.id);
  const [error, setError] = useState<{ cause: unknown; lead: string } | null>(null);
  const [pending, setPending] = useState<PendingOption | null>(null);
  const set = (id: string, name: string, value: string | boolean) => {
    setPending({ id, value });
    setError(null);
    const failed = (cause: unknown) => setError({ cause, lead: t("option.failed", { name }) });
    void setOption(store.task, agent.id, id, value)
      .catch(failed)
      .finally(() => setPending(null));
  };
  return (
    <>
      <OptionList options={options} pending={pending} onSet={({ id, name }, value) => set(id, name, value)} />
      <LinkStarting agent={agent} link={link} />
      {error && (
        <div className="basis-full">
          <ErrorNote error={error.cause} lead={error.lead} onDismiss={() => setError(null)} />
        </div>
      )}
    </>
  );
}

interface SkippedOption {
  option_id: string;
  value: unknown;
  reason: string;
}

/** Remembered values that the agent did not take, with the reasons. */
export function SkippedNotes({ link, options }: { link: Link | undefined; options: readonly AgentOption[] }) {
  const { t } = useTranslation();
  const skipped = (link?.skipped_options ?? []) as SkippedOption[];
  const nameOf = (wanted: string) => options.find(({ id }) => id === wanted)?.name ?? wanted;
  return skipped.map(({ option_id, value, reason }) => (
    <p key={option_id} className="px-3 pb-1 text-xs text-muted">
      {t("option.skipped", { name: nameOf(option_id), value: readable(value), reason })}
    </p>
  ));
}

function LinkStarting({ agent, link }: { agent: Agent; link: Link | undefined }) {
  const { t } = useTranslation();
  if (link?.state !== "starting") return null;
  return <span className="px-2 text-xs text-muted">{t("option.starting", { agent: agent.name })}</span>;
}

/** What became of an agent that is not there: in the daemon's sentence, which tells a start that failed from an end. */
export function LinkTrouble({ link }: { link: Link | undefined }) {
  const { t } = useTranslation();
  if (link?.state !== "failed" && link?.state !== "needs_login") return null;
  return <p className="px-3 pb-1 text-xs break-words text-danger">{link.detail ?? t(`agent.link.${link.state}`)}</p>;
}

/** Where nothing is known of an agent's options, it can be started without a message. */
export function AgentStarter({ store, agent }: { store: TaskStore; agent: Agent }) {
  const { t } = useTranslation();
  const link = useChat(store, "links")?.get(agent.id);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = () => {
    setBusy(true);
    setError(null);
    void connectLink(store.task, agent.id).catch(setError).finally(() => setBusy(false));
  };
  return (
    <>
      <LinkStarting agent={agent} link={link} />
      {agent.state === "ready" && link?.state !== "starting" && (
        <Button look="quiet" disabled={busy} className="text-xs" onClick={start}>
          {t("option.connect", { agent: agent.name })}
        </Button>
      )}
      {error !== null && (
        <div className="basis-full">
          <ErrorNote error={error} onDismiss={() => setError(null)} />
        </div>
      )}
    </>
  );
}
