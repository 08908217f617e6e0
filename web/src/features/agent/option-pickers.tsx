import { ChevronDown, ShieldOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { connectLink, setOption } from "../../api/calls";
import type { Agent, Link } from "../../api/types";
import { useChat } from "../../app/context";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { Menu, MenuChoices } from "../../ui/menu";
import { readable } from "../../ui/text";
import { type AgentOption, actsUnasked, currentName, readOptions } from "./options";

/** The session options of an agent in this task, as it advertises them and in its order. */
export function OptionPickers({ store, agent }: { store: TaskStore; agent: Agent }) {
  const { t } = useTranslation();
  const link = useChat(store, "links")?.get(agent.id);
  const [error, setError] = useState<{ cause: unknown; lead: string | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const act = (call: Promise<Link>, lead: string | null) => {
    setBusy(true);
    setError(null);
    call.then(
      () => setBusy(false),
      (cause: unknown) => {
        setBusy(false);
        setError({ cause, lead });
      },
    );
  };
  const options = readOptions(link?.options);
  const unasked = actsUnasked(agent, link?.options);
  return (
    <>
      {options.length === 0 ? (
        <Starter agent={agent} link={link} busy={busy} onStart={() => act(connectLink(store.task, agent.id), null)} />
      ) : (
        options.map((option) => (
          <OptionPicker
            key={option.id}
            option={option}
            busy={busy}
            onSet={(value) =>
              act(setOption(store.task, agent.id, option.id, value), t("option.failed", { name: option.name }))
            }
          />
        ))
      )}
      {unasked && (
        <p className="flex basis-full items-center gap-1 px-2 text-xs text-muted">
          <ShieldOff size={14} className="shrink-0" aria-hidden />
          {t(`option.unasked.${unasked}`, { agent: agent.name })}
        </p>
      )}
      {skippedOf(link).map(({ option_id, value, reason }) => (
        <p key={option_id} className="basis-full px-2 text-xs text-muted" title={reason}>
          {t("option.skipped", { name: options.find(({ id }) => id === option_id)?.name ?? option_id, value: readable(value) })}
        </p>
      ))}
      {error && (
        <div className="basis-full">
          <ErrorNote error={error.cause} {...(error.lead ? { lead: error.lead } : {})} />
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

/** Remembered values that the agent no longer takes. */
function skippedOf(link: Link | undefined): SkippedOption[] {
  return (link?.skipped_options ?? []) as SkippedOption[];
}

/** Before an agent has started nothing is known of its options; it can be started without a message. */
function Starter({ agent, link, busy, onStart }: { agent: Agent; link: Link | undefined; busy: boolean; onStart(): void }) {
  const { t } = useTranslation();
  if (busy || link?.state === "starting") {
    return <span className="px-2 text-xs text-muted">{t("option.starting", { agent: agent.name })}</span>;
  }
  if (link?.state === "failed" || link?.state === "needs_login") {
    return (
      <span className="max-w-full truncate px-2 text-xs text-danger" title={link.detail ?? undefined}>
        {t(`agent.link.${link.state}`)}
        {link.detail && `: ${link.detail}`}
      </span>
    );
  }
  if (agent.state !== "ready" || (link && link.state !== "off" && link.state !== "parked")) return null;
  return (
    <Button look="quiet" className="text-xs" onClick={onStart}>
      {t("option.connect", { agent: agent.name })}
    </Button>
  );
}

function OptionPicker({ option, busy, onSet }: { option: AgentOption; busy: boolean; onSet(value: string | boolean): void }) {
  const { t } = useTranslation();
  if (option.kind === "unknown") {
    return <span className="px-2 text-xs text-muted">{t("option.unavailable", { name: option.name })}</span>;
  }
  const onOff = (value: boolean) => t(value ? "option.on" : "option.off");
  const shown = option.kind === "boolean" ? onOff(option.current) : (currentName(option) ?? t("option.unset"));
  const groups =
    option.kind === "boolean"
      ? [{ label: option.name, choices: [true, false].map((value) => ({ value: String(value), name: onOff(value) })) }]
      : option.groups.map(({ label, values }) => ({
          label: label ?? option.name,
          choices: values.map(({ note, ...value }) => ({ ...value, note })),
        }));
  const choose = (value: string) => onSet(option.kind === "boolean" ? value === "true" : value);
  return (
    <Menu
      side="top"
      trigger={
        <Button look="quiet" disabled={busy} className="max-w-44" aria-label={t("option.label", { name: option.name, value: shown })}>
          <span className="truncate">{option.kind === "boolean" ? `${option.name}: ${shown}` : shown}</span>
          <ChevronDown size={14} className="shrink-0" aria-hidden />
        </Button>
      }
    >
      <MenuChoices
        value={option.kind === "boolean" ? String(option.current) : option.current}
        groups={groups}
        onChoose={choose}
      />
    </Menu>
  );
}
