import { FileText } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { attachmentUrl } from "../../api/calls";
import { isRecord } from "../../api/problem";
import type { Part, PartOf } from "../../api/types";
import { tagOf } from "../../i18n";
import { Markdown } from "../../markdown/markdown";
import { Fold } from "../../ui/fold";
import { byteSize } from "../../ui/format";
import { readable, reveal, stripTerminalCodes } from "../../ui/text";
import { Compaction, Notice } from "../notice/notice";
import { ToolCall } from "../tool/tool-call";
import { Plan } from "./plan";
import { Thought } from "./thought";

interface Props {
  part: Part;
  /** A name for its place, the same for as long as it is there. */
  place: string;
  /** Written by the person: shown exactly as typed. */
  own: boolean;
  /** More text may come at its end. */
  growing: boolean;
  /** Its turn is still going on. */
  live: boolean;
}

export const PartView = memo(function PartView({ part, place, own, growing, live }: Props) {
  switch (part.type) {
    case "text":
      return own ? <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{part.text}</p> : <Markdown text={part.text} done={!growing} />;
    case "thought":
      return <Thought text={part.text} place={place} growing={growing} />;
    case "tool_call":
      return <ToolCall part={part} live={live} />;
    case "plan":
      return <Plan part={part} />;
    case "image":
    case "file":
      return <Attached part={part} />;
    case "notice":
      return <Notice part={part} />;
    case "compaction":
      return <Compaction part={part} live={live} />;
    case "error":
      return <Failure part={part} />;
    case "unknown":
      return <Unknown part={part} />;
    default:
      // A newer daemon may send a type that this page has no word for.
      return <Unknown part={{ raw: part satisfies never }} />;
  }
});

function Attached({ part }: { part: PartOf<"image" | "file"> }) {
  const { t, i18n } = useTranslation();
  const name = reveal(part.name ?? part.path ?? part.mime_type ?? "");
  const size = part.size === null ? null : byteSize(part.size, tagOf(i18n.language));
  if (part.attachment_id && part.type === "image") {
    return (
      <a href={attachmentUrl(part.attachment_id)} target="_blank" rel="noopener noreferrer" className="mt-1 inline-block">
        <img
          src={attachmentUrl(part.attachment_id)}
          alt={t("part.image", { name })}
          className="max-h-72 max-w-full rounded-md border border-line"
        />
      </a>
    );
  }
  const shown = (
    <>
      <FileText size={14} className="shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 truncate">{t(part.type === "image" ? "part.image" : "part.file", { name })}</span>
      {size && <span className="text-xs text-muted">{size}</span>}
    </>
  );
  const looks = "mt-1 flex w-fit max-w-full items-center gap-1.5 rounded-md border border-line px-2 py-1";
  return part.attachment_id ? (
    <a href={attachmentUrl(part.attachment_id)} download className={`${looks} hover:bg-hover`}>
      {shown}
    </a>
  ) : (
    <span className={looks}>{shown}</span>
  );
}

function Failure({ part }: { part: PartOf<"error"> }) {
  const { t } = useTranslation();
  const detail = part.detail === null ? "" : detailText(part.detail);
  return (
    <div className="rounded-md border border-danger bg-danger-soft px-3 py-2">
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{part.message}</p>
      {detail && <pre className="mt-1 max-h-72 overflow-auto text-xs whitespace-pre-wrap">{detail}</pre>}
      {part.code !== null && <p className="text-xs text-muted">{t("part.code", { code: part.code })}</p>}
    </div>
  );
}

/** Named texts, such as the last of an agent's stderr, as lines; anything else as it came. */
function detailText(detail: unknown): string {
  if (!isRecord(detail)) return readable(detail);
  // What the agent thinks may help: buttons, not text.
  const { actions: _, ...rest } = detail;
  if (!Object.values(rest).every((value) => typeof value === "string")) return readable(rest);
  return Object.entries(rest)
    .map(([name, text]) => `${name}: ${stripTerminalCodes(String(text))}`)
    .join("\n");
}

function Unknown({ part }: { part: Pick<PartOf<"unknown">, "raw"> }) {
  const { t } = useTranslation();
  const kind = isRecord(part.raw) ? (part.raw.sessionUpdate ?? part.raw.type) : undefined;
  return (
    <Fold summary={t("part.unknown", { kind: typeof kind === "string" ? reveal(kind) : "?" })}>
      {() => <pre className="ms-5 max-h-96 overflow-auto rounded-md bg-fill p-2 whitespace-pre-wrap">{readable(part.raw)}</pre>}
    </Fold>
  );
}
