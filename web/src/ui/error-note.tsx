import { CircleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "../api/problem";
import { IconButton } from "./button";

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
        {error !== null && <p className="whitespace-pre-wrap">{messageOf(error)}</p>}
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

/** The sentence of an error, with the fields that a problem names. */
export function messageOf(error: unknown): string {
  if (error instanceof Problem) {
    const fields = Array.isArray(error.members.errors) ? error.members.errors : [];
    const lines = fields.map((each: { field?: unknown; detail?: unknown }) => `${each.field}: ${each.detail}`);
    const title = error.detail && error.detail !== error.title ? [error.title, error.detail] : [error.title];
    return [...title, ...lines].join("\n");
  }
  return error instanceof Error ? error.message : String(error);
}
