import { type FormEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isRecord, Problem } from "../../api/problem";
import { Button } from "../../ui/button";
import { reveal } from "../../ui/text";
import { useAnswer } from "./answering";
import { Card, type CardProps, useAgentName } from "./card";
import { canFill, contentOf, type Field, type FieldValue } from "./elicitation";
import { draftOf, type FormValues, keepDraft } from "./form-draft";
import { FormField } from "./form-field";

interface Props extends CardProps {
  message: string;
  fields: Field[];
}

/** A form of an agent. Nothing is sent before it fits; to decline and to close is always possible. */
export function FormCard({ message, fields, ...props }: Props) {
  const { t } = useTranslation();
  const { request } = props;
  const agent = useAgentName(request);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { answer, busy, error } = useAnswer(request);
  const [values, setValues] = useState<FormValues>(() => draftOf(request.id, fields));
  const [tried, setTried] = useState(false);
  const fillable = canFill(fields);
  const refused = refusedFields(error);
  const change = (name: string, value: FieldValue) => {
    const next = { ...values, [name]: value };
    keepDraft(request.id, fields, next);
    setValues(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filled = fields.map((field) => [field.name, contentOf(field, values[field.name] ?? field.initial)] as const);
    setTried(true);
    const wrong = filled.find(([, { problem }]) => problem);
    if (wrong) return focusField(form.current, wrong[0]);
    const given = filled.filter(([, { value }]) => value !== undefined).map(([name, { value }]) => [name, value]);
    answer({ action: "accept", content: Object.fromEntries(given) });
  };
  const actions = (
    <>
      {fillable && (
        <Button look="strong" type="submit" form={id} disabled={busy}>
          {t("request.submit", { agent })}
        </Button>
      )}
      <LeaveButtons busy={busy} onLeave={(action) => answer({ action })} />
    </>
  );
  return (
    <Card {...props} error={refused.size > 0 ? null : error} actions={actions}>
      <form ref={form} id={id} noValidate onSubmit={submit} className="flex flex-col gap-3 px-3 py-1">
        {message !== "" && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{reveal(message)}</p>}
        {fields.map((field) => (
          <FormField
            key={field.name}
            field={field}
            value={values[field.name] ?? field.initial}
            problem={tried ? contentOf(field, values[field.name] ?? field.initial).problem : undefined}
            refused={refused.get(field.name)}
            onChange={(value) => change(field.name, value)}
          />
        ))}
        {!fillable && <p>{t("request.cannotFill", { agent })}</p>}
      </form>
    </Card>
  );
}

/** Two ways not to answer, which mean different things to the agent. */
export function LeaveButtons({ busy, onLeave }: { busy: boolean; onLeave(action: "decline" | "cancel"): void }) {
  const { t } = useTranslation();
  return (
    <>
      <Button disabled={busy} title={t("request.declineHint")} onClick={() => onLeave("decline")}>
        {t("request.decline")}
      </Button>
      <Button look="quiet" disabled={busy} title={t("request.cancelHint")} onClick={() => onLeave("cancel")}>
        {t("request.cancel")}
      </Button>
    </>
  );
}

/** What the daemon found wrong, by field. */
function refusedFields(error: unknown): Map<string, string> {
  if (!(error instanceof Problem) || error.status !== 422 || !Array.isArray(error.members.errors)) return new Map();
  const named = error.members.errors.filter(isRecord).flatMap(({ field, detail }) => {
    const name = typeof field === "string" && field.startsWith("content.") ? field.slice("content.".length) : null;
    return name !== null && typeof detail === "string" ? [[name, detail] as const] : [];
  });
  return new Map(named);
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const box = [...(form?.querySelectorAll<HTMLElement>("[data-field]") ?? [])].find(({ dataset }) => dataset.field === name);
  box?.querySelector<HTMLElement>("input, textarea, select")?.focus();
}
