import { Check, CircleHelp, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AgentRequest } from "../../api/types";
import { useTopic } from "../../app/context";
import { Markdown } from "../../markdown/markdown";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { readable, reveal } from "../../ui/text";
import { ValueText } from "../tool/value-text";
import { Places, ToolContent } from "../tool/content";
import { useAnswer } from "./answering";
import { Card, type CardProps } from "./card";
import { type Permission, type PermissionOption, readPermission } from "./permission";

/** A question of an agent, word for word, with every answer it offers in its order. None is chosen beforehand. */
export function PermissionCard({ store, ...props }: CardProps & { store: TaskStore }) {
  const { t } = useTranslation();
  const { request } = props;
  const { answer, busy, error } = useAnswer(request);
  const permission = usePermission(store, request);
  const what = permission.plan === null ? reveal(permission.command ?? permission.title) : t("request.thePlan");
  const actions = (
    <>
      {permission.options.map((option, place) => (
        <OptionButton
          key={`${place}:${option.id}`}
          option={option}
          place={place}
          what={what}
          disabled={busy}
          onChoose={() => answer({ option_id: option.id })}
        />
      ))}
      {permission.options.length === 0 && <p className="px-1">{t("request.noOptions")}</p>}
      {!request.run_id && (
        <Button look="quiet" disabled={busy} onClick={() => answer({ option_id: null })}>
          {t("request.cancel")}
        </Button>
      )}
    </>
  );
  return (
    <Card {...props} error={error} actions={actions}>
      {permission.plan === null ? <Question permission={permission} /> : <Plan text={permission.plan} permission={permission} />}
    </Card>
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
  const { title, command } = permission;
  return (
    <div className="flex flex-col gap-2 px-3 py-1">
      {title !== "" && title !== command && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{reveal(title)}</p>}
      {command !== null && (
        <pre className="rounded-md border border-line bg-bg p-2 whitespace-pre-wrap [overflow-wrap:anywhere]">{reveal(command)}</pre>
      )}
      <Rest permission={permission} />
    </div>
  );
}

/** A plan that the agent would now carry out: a text to be read, not a value. */
function Plan({ text, permission }: { text: string; permission: Permission }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-2 px-3 py-1">
      <p>{permission.title === "" ? t("request.planLead") : reveal(permission.title)}</p>
      <div className="rounded-md border border-line bg-bg px-3 py-2">
        <Markdown text={text} done />
      </div>
      <Rest permission={permission} />
    </div>
  );
}

function Rest({ permission: { input, content, locations } }: { permission: Permission }) {
  return (
    <>
      {input !== null && input !== undefined && <ValueText value={typeof input === "string" ? input : reveal(readable(input))} />}
      <ToolContent content={content} />
      <Places locations={locations} />
    </>
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
      aria-keyshortcuts={place < 9 ? String(place + 1) : undefined}
      className="max-w-full shrink py-0.5"
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
