import { CircleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isRecord, Problem, Unreachable } from "../api/problem";
import { daemonWords } from "../i18n";
import { IconButton } from "./button";
import { Prose } from "./prose";

interface Props {
  /** What went wrong; null where `lead` says it all. */
  error: unknown;
  lead?: string;
  children?: ReactNode;
  onDismiss?(): void;
}

/** What went wrong, in the words of whoever knows, and a way on. */
export function ErrorNote({ error, lead, children, onDismiss }: Props) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="my-2 flex gap-2 rounded-md border border-danger bg-danger-soft px-3 py-2">
      <CircleAlert size={16} className="mt-0.5 shrink-0 text-danger" aria-hidden />
      <div className="min-w-0 flex-1">
        {lead && <p>{lead}</p>}
        {error !== null && <What error={error} />}
        {children}
      </div>
      {onDismiss && (
        <IconButton label={t("app.dismiss")} className="-my-1 -me-2" onClick={onDismiss}>
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

/** In the reader's language as far as there are words for it; what the daemon says of this very case stands below, in small print. */
function What({ error }: { error: unknown }) {
  const { t, i18n } = useTranslation();
  if (error instanceof Unreachable) return <p>{t("app.unreachable")}</p>;
  const words = error instanceof Problem ? daemonWords(i18n.language, "problems", error.slug) : null;
  const facts = words !== null && error instanceof Problem ? factsOf(error) : messageOf(error);
  return (
    <>
      {words !== null && <p>{words}</p>}
      {facts !== "" && (
        <p lang={words === null ? undefined : "en"} className={`whitespace-pre-wrap ${words === null ? "" : "text-xs text-muted"}`}>
          <Prose text={facts} />
        </p>
      )}
    </>
  );
}

/** What a problem says of single fields, by the field's name in the API. */
export function fieldErrors(error: unknown): ReadonlyMap<string, string> {
  const listed: unknown = error instanceof Problem ? error.members.errors : null;
  const entries = (Array.isArray(listed) ? listed : []).flatMap((each: unknown): [string, string][] =>
    isRecord(each) && typeof each.field === "string" && typeof each.detail === "string" ? [[each.field, asSentence(each.detail)]] : [],
  );
  return new Map(entries);
}

/** What went wrong, in sentences, as it was told. */
function messageOf(error: unknown): string {
  if (!(error instanceof Problem)) return asSentence(error instanceof Error ? error.message : String(error));
  const facts = factsOf(error);
  return fieldErrors(error).size > 0 ? facts : [asSentence(error.title), facts].filter(Boolean).join("\n");
}

/** What is known beyond the kind of problem. The names of fields are the API's and say nothing to a reader. */
function factsOf(error: Problem): string {
  const fields = new Set(fieldErrors(error).values());
  if (fields.size > 0) return [...fields].join("\n");
  const detail = error.detail === null ? "" : asSentence(error.detail);
  return detail === asSentence(error.title) ? "" : detail;
}

/** With a capital at its beginning and a stop at its end, unless it is more than a line. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.includes("\n")) return trimmed;
  const stopped = /[.!?…。！？:：]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return stopped.charAt(0).toUpperCase() + stopped.slice(1);
}
