import {
  Brain,
  CircleAlert,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  Download,
  FileText,
  FolderInput,
  LoaderCircle,
  Pencil,
  Search,
  ShieldQuestion,
  SquareTerminal,
  Trash2,
  Wrench,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ToolCallPart } from "../../api/types";
import { Fold } from "../../ui/fold";
import { oneLine, reveal } from "../../ui/text";
import { isRecord } from "../../api/problem";
import { Places, ToolContent } from "./content";
import { ChangeSize } from "./diff-view";
import { outcomeOf } from "./outcome";
import { TerminalText } from "./terminal-text";
import { ValueText } from "./value-text";

const ICONS: Record<string, typeof Wrench> = {
  read: FileText,
  edit: Pencil,
  delete: Trash2,
  move: FolderInput,
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
  const change = changeOf(part.content);
  return (
    <section aria-label={t("tool.label", { title, status: status.word })} aria-busy={status.open}>
      <Fold
        summary={
          <>
            <Icon size={14} className="shrink-0" aria-hidden />
            <span className="min-w-0 truncate text-text">{title}</span>
            {change && <ChangeSize before={change.before} after={change.after} />}
            {status.icon && <status.icon size={14} className={`shrink-0 ${status.look}`} aria-hidden />}
            <span className={status.usual ? "sr-only" : `shrink-0 text-xs ${status.look}`}>{status.word}</span>
          </>
        }
      >
        {() => <Details part={part} />}
      </Fold>
    </section>
  );
}

interface Status {
  word: string;
  look: string;
  open: boolean;
  icon: typeof Wrench | null;
  /** Ended as it should: said, not shown. */
  usual: boolean;
}

/** The agent's word for a call's state, in the reader's; after its turn nothing is still going on. */
function useStatus(part: ToolCallPart, live: boolean): Status {
  const { t } = useTranslation();
  const plain = { open: false, icon: null, usual: false };
  if (part.unknown_outcome) return { ...plain, word: t("tool.status.unknown"), look: "text-danger", icon: CircleHelp };
  const known = STATUSES.find((status) => status === (part.status ?? "pending"));
  if (!known) return { ...plain, word: reveal(part.status ?? ""), look: "text-muted" };
  const open = known === "pending" || known === "in_progress";
  if (open && !live) return { ...plain, word: t("tool.unfinished"), look: "text-muted", icon: CircleSlash };
  const word = t(`tool.status.${known}`);
  if (known === "pending") return { ...plain, word, look: "text-muted", open, icon: CircleDashed };
  if (open) return { ...plain, word, look: "breathe text-running", open, icon: LoaderCircle };
  if (known === "failed") return { ...plain, word, look: "text-danger", icon: CircleAlert };
  return { ...plain, word, look: "text-muted", icon: known === "stopped" ? CircleSlash : null, usual: known === "completed" };
}

/** The one change of a call whose texts are here. */
function changeOf(content: unknown): { before: string | null; after: string } | null {
  const diffs = Array.isArray(content) ? content.filter(isRecord).filter(({ type }) => type === "diff") : [];
  const [diff] = diffs;
  if (diffs.length !== 1 || typeof diff?.newText !== "string") return null;
  const { oldText: before, newText: after } = diff;
  return typeof before === "string" || before === null || before === undefined ? { before: before ?? null, after } : null;
}

const present = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0) && !(isRecord(value) && Object.keys(value).length === 0);

function Details({ part }: { part: ToolCallPart }) {
  const { t } = useTranslation();
  const outcome = part.kind === "execute" ? outcomeOf(part) : null;
  const hasContent = present(part.content);
  const isRaw = !present(part.raw_output) || outcome !== null || hasContent;
  const nothing = !outcome && !hasContent && !present(part.locations) && !present(part.raw_input) && !present(part.raw_output);
  return (
    <div className="ms-2.5 flex flex-col gap-2 border-s-2 border-line ps-3 pt-1 pb-1">
      {part.unknown_outcome && <p>{t("tool.unknownOutcome")}</p>}
      {nothing && <p className="text-muted">{t("tool.nothing")}</p>}
      {present(part.locations) && <Places locations={part.locations} />}
      {outcome?.command && <TerminalText text={outcome.command} label={t("tool.command")} />}
      {hasContent && <ToolContent content={part.content} kind={part.kind} />}
      {outcome && present(outcome.output) && <ValueText value={outcome.output} />}
      {outcome?.exitCode ? <p className="text-danger">{t("tool.exitCode", { code: outcome.exitCode })}</p> : null}
      {!isRaw && <ValueText value={part.raw_output} />}
      {(present(part.raw_input) || (isRaw && present(part.raw_output))) && <Raw part={part} withOutput={isRaw} />}
    </div>
  );
}

/** What the agent sent, word for word. */
function Raw({ part, withOutput }: { part: ToolCallPart; withOutput: boolean }) {
  const { t } = useTranslation();
  const values: [string, unknown][] = [[t("tool.input"), part.raw_input]];
  if (withOutput) values.push([t("tool.output"), part.raw_output]);
  return (
    <Fold summary={<span className="text-xs">{t("tool.raw")}</span>}>
      {() =>
        values
          .filter(([, value]) => present(value))
          .map(([name, value]) => (
            <div key={name} className="flex min-w-0 flex-col gap-1 pt-1">
              <p className="text-xs text-muted">{name}</p>
              <ValueText value={value} />
            </div>
          ))
      }
    </Fold>
  );
}
