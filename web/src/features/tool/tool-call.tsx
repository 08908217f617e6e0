import { Brain, Download, FileText, Pencil, Search, ShieldQuestion, SquareTerminal, Trash2, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ToolCallPart } from "../../api/types";
import { Fold } from "../../ui/fold";
import { oneLine, reveal } from "../../ui/text";
import { ValueText } from "./value-text";
import { Places, ToolContent } from "./content";

const ICONS: Record<string, typeof Wrench> = {
  read: FileText,
  edit: Pencil,
  delete: Trash2,
  move: Pencil,
  search: Search,
  execute: SquareTerminal,
  think: Brain,
  fetch: Download,
  switch_mode: ShieldQuestion,
};

const STATUSES = ["pending", "in_progress", "completed", "failed", "stopped"] as const;

/** One tool call: a line that opens to its input, places, result and output. */
export function ToolCall({ part, live }: { part: ToolCallPart; live: boolean }) {
  const { t } = useTranslation();
  const Icon = ICONS[part.kind ?? ""] ?? Wrench;
  const title = reveal(oneLine(part.title ?? "")) || reveal(part.kind ?? "") || t("tool.untitled");
  const status = useStatus(part, live);
  return (
    <section aria-label={t("tool.label", { title, status: status.word })} aria-busy={status.open}>
      <Fold
        summary={
          <>
            <Icon size={14} className="shrink-0" aria-hidden />
            <span className="min-w-0 truncate text-text">{title}</span>
            <span className={`shrink-0 text-xs ${status.look}`}>{status.word}</span>
          </>
        }
      >
        {() => <Details part={part} />}
      </Fold>
    </section>
  );
}

/** The agent's word for a call's state, in the reader's; after its turn nothing is still going on. */
function useStatus(part: ToolCallPart, live: boolean): { word: string; look: string; open: boolean } {
  const { t } = useTranslation();
  if (part.unknown_outcome) return { word: t("tool.status.unknown"), look: "text-danger", open: false };
  const known = STATUSES.find((status) => status === (part.status ?? "pending"));
  if (!known) return { word: reveal(part.status ?? ""), look: "text-muted", open: false };
  const open = known === "pending" || known === "in_progress";
  if (open && !live) return { word: t("tool.unfinished"), look: "text-muted", open: false };
  const look = known === "failed" ? "text-danger" : open ? "text-running" : "text-muted";
  return { word: t(`tool.status.${known}`), look, open };
}

const present = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

function Details({ part }: { part: ToolCallPart }) {
  const { t } = useTranslation();
  const sections: [string, ReactNode][] = [];
  if (present(part.locations)) sections.push([t("tool.places"), <Places key="places" locations={part.locations} />]);
  if (present(part.raw_input)) sections.push([t("tool.input"), <ValueText key="input" value={part.raw_input} />]);
  if (present(part.content)) sections.push([t("tool.content"), <ToolContent key="content" content={part.content} />]);
  if (present(part.raw_output)) sections.push([t("tool.output"), <ValueText key="output" value={part.raw_output} />]);
  return (
    <div className="ms-2.5 flex flex-col gap-2 border-s-2 border-line ps-3 pt-1">
      {part.unknown_outcome && <p>{t("tool.unknownOutcome")}</p>}
      {sections.length === 0 && <p className="text-muted">{t("tool.nothing")}</p>}
      {sections.map(([name, content]) => (
        <div key={name} className="flex min-w-0 flex-col gap-1">
          <p className="text-xs text-muted">{name}</p>
          {content}
        </div>
      ))}
    </div>
  );
}
