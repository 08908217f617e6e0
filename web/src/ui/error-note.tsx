import { CircleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isRecord, Problem } from "../api/problem";
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
        {error !== null && <p className="whitespace-pre-wrap"><Prose text={messageOf(error)} /></p>}
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

/** What a problem says of single fields, by the field's name in the API. */
export function fieldErrors(error: unknown): ReadonlyMap<string, string> {
  const listed: unknown = error instanceof Problem ? error.members.errors : null;
  const entries = (Array.isArray(listed) ? listed : []).flatMap((each: unknown): [string, string][] =>
    isRecord(each) && typeof each.field === "string" && typeof each.detail === "string" ? [[each.field, asSentence(each.detail)]] : [],
  );
  return new Map(entries);
}

/** What went wrong, in sentences. The names of fields are the API's and say nothing to a reader. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Problem)) return asSentence(error instanceof Error ? error.message : String(error));
  const fields = new Set(fieldErrors(error).values());
  if (fields.size > 0) return [...fields].join("\n");
  const lines = new Set([error.title, ...(error.detail ? [error.detail] : [])].map(asSentence));
  return [...lines].join("\n");
}

/** With a capital at its beginning and a stop at its end, unless it is more than a line. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.includes("\n")) return trimmed;
  const stopped = /[.!?…。！？:：]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return stopped.charAt(0).toUpperCase() + stopped.slice(1);
}
