import { Check, CircleHelp, OctagonX, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answerRequest, cancelRun } from "../../api/calls";
import { Problem } from "../../api/problem";
import type { AgentRequest } from "../../api/types";
import { useAgents, useTopic } from "../../app/context";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { Fold } from "../../ui/fold";
import { readable, reveal } from "../../ui/text";
import { ValueText } from "../tool/value-text";
import { Places, ToolContent } from "../tool/content";
import { type Permission, type PermissionOption, readPermission } from "./permission";

interface Props {
  store: TaskStore;
  request: AgentRequest;
  index: number;
  count: number;
}

/** A question of an agent, word for word, with every answer it offers in its order. None is chosen beforehand. */
export function PermissionCard({ store, request, index, count }: Props) {
  const { t } = useTranslation();
  const agents = useAgents();
  const agent = agents.get(request.agent)?.name ?? request.agent;
  const { answer, busy, error } = useAnswer(request);
  const permission = usePermission(store, request);
  const what = reveal(permission.command ?? permission.title);
  return (
    <section
      aria-label={t("request.title", { agent })}
      data-request={request.id}
      className="rounded-md border border-accent bg-accent-soft"
    >
      <header className="flex items-baseline gap-2 px-3 pt-2">
        <h3 className="min-w-0 flex-1 font-semibold">{t("request.title", { agent })}</h3>
        {count > 1 && <span className="shrink-0 text-xs text-muted">{t("request.count", { index: index + 1, count })}</span>}
      </header>
      {request.kind === "permission" ? <Question permission={permission} /> : <p className="px-3">{t("request.form", { agent })}</p>}
      <div className="px-3">
        <Fold summary={t("request.raw")}>{() => <ValueText value={request.payload} />}</Fold>
        {error !== null && <AnswerError error={error} />}
      </div>
      <div className="bottom-0 flex flex-wrap items-center gap-1.5 rounded-b-md bg-accent-soft p-2 [@media(min-height:500px)]:sticky">
        {request.kind === "permission" ? (
          permission.options.map((option, place) => (
            <OptionButton
              key={`${place}:${option.id}`}
              option={option}
              place={place}
              what={what}
              disabled={busy}
              onChoose={() => answer({ option_id: option.id })}
            />
          ))
        ) : (
          <>
            <Button disabled={busy} onClick={() => answer({ action: "decline" })}>
              {t("request.decline")}
            </Button>
            <Button disabled={busy} onClick={() => answer({ action: "cancel" })}>
              {t("request.cancel")}
            </Button>
          </>
        )}
        {request.kind === "permission" && permission.options.length === 0 && <p className="px-1">{t("request.noOptions")}</p>}
        <StopTurn request={request} onCancel={() => answer({ option_id: null })} />
      </div>
    </section>
  );
}

/** The request read together with what its tool call has shown before. */
function usePermission(store: TaskStore, request: AgentRequest): Permission {
  const id = readPermission(request.payload).toolCallId;
  const known = useTopic(store, "heads", ({ state }) => {
    for (const message of state?.order.toReversed() ?? []) {
      for (const part of state?.entries.get(message)?.parts ?? []) {
        if (part.type === "tool_call" && part.tool_call_id === id) return part;
      }
    }
    return undefined;
  });
  return readPermission(request.payload, known);
}

function Question({ permission }: { permission: Permission }) {
  const { title, command, input, content, locations } = permission;
  return (
    <div className="flex flex-col gap-2 px-3 py-1">
      {title !== "" && title !== command && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{reveal(title)}</p>}
      {command !== null && (
        <pre className="rounded-md border border-line bg-bg p-2 whitespace-pre-wrap [overflow-wrap:anywhere]">{reveal(command)}</pre>
      )}
      {input !== null && input !== undefined && <ValueText value={typeof input === "string" ? input : reveal(readable(input))} />}
      <ToolContent content={content} />
      <Places locations={locations} />
    </div>
  );
}

interface OptionProps {
  option: PermissionOption;
  place: number;
  what: string;
  disabled: boolean;
  onChoose(): void;
}

function OptionButton({ option, place, what, disabled, onChoose }: OptionProps) {
  const { t } = useTranslation();
  const name = reveal(option.name);
  const [Icon, tone] = option.kind.startsWith("allow")
    ? [Check, "text-ok"]
    : option.kind.startsWith("reject")
      ? [X, "text-danger"]
      : [CircleHelp, "text-muted"];
  return (
    <Button
      disabled={disabled}
      data-option={place + 1}
      aria-label={t("request.optionLabel", { option: name, what })}
      onClick={onChoose}
      // A key that is held down must not answer what comes next.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
    >
      <Icon size={14} className={`shrink-0 ${tone}`} aria-hidden />
      <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
      {place < 9 && <kbd className="text-xs text-muted">{place + 1}</kbd>}
    </Button>
  );
}

/** Ends the whole turn. It stands apart from the answers, because it is none. */
function StopTurn({ request, onCancel }: { request: AgentRequest; onCancel(): void }) {
  const { t } = useTranslation();
  const [error, setError] = useState<unknown>(null);
  const stop = () => {
    setError(null);
    if (request.run_id) cancelRun(request.run_id).catch(setError);
    else onCancel();
  };
  return (
    <span className="ms-auto border-s border-line ps-2">
      {error !== null && <ErrorNote error={error} />}
      <Button look="quiet" title={t("request.stopHint")} onClick={stop}>
        <OctagonX size={14} className="shrink-0" aria-hidden />
        {t("request.stop")}
      </Button>
    </span>
  );
}

function useAnswer(request: AgentRequest) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const answer = (body: Parameters<typeof answerRequest>[1]) => {
    setBusy(true);
    setError(null);
    // On success the feed closes the card, in this tab as in all others.
    answerRequest(request.id, body).catch((failure: unknown) => {
      setBusy(false);
      setError(failure);
    });
  };
  return { answer, busy, error };
}

function AnswerError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const status = error instanceof Problem ? error.status : null;
  if (status === 409) return <ErrorNote error={new Error(t("request.already"))} />;
  if (status === 410) return <ErrorNote error={new Error(t("request.tooLate"))} />;
  return <ErrorNote error={error} />;
}
