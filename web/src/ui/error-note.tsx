import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Problem } from "../api/problem";

/** What went wrong, in the words of whoever knows, and a way on. */
export function ErrorNote({ error, lead, children }: { error: unknown; lead?: string; children?: ReactNode }) {
  return (
    <div role="alert" className="my-2 flex gap-2 rounded-md border border-danger bg-danger-soft px-3 py-2">
      <CircleAlert size={16} className="mt-0.5 shrink-0 text-danger" aria-hidden />
      <div className="min-w-0">
        {lead && <p>{lead}</p>}
        <p className="whitespace-pre-wrap">{messageOf(error)}</p>
        {children}
      </div>
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
