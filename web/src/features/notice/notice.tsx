import { CircleAlert, Info, Minimize2, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PartOf } from "../../api/types";
import { Markdown } from "../../markdown/markdown";
import { Fold } from "../../ui/fold";
import { reveal } from "../../ui/text";

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert } as const;
const TONES = { info: "text-muted", warning: "text-accent", error: "text-danger" } as const;

type Severity = keyof typeof ICONS;

function severityOf(word: string): Severity {
  return word === "warning" || word === "error" ? word : "info";
}

/** The daemon's own notice that a session is gone. */
const MEMORY_LOST = "drover:memory_lost";

/** What an agent says beside its answer, in its own words; what the daemon says there, in the user's language. */
export function Notice({ part }: { part: PartOf<"notice"> }) {
  const { t } = useTranslation();
  const severity = severityOf(part.severity);
  const Icon = ICONS[severity];
  return (
    <p data-notice={severity} className="flex items-start gap-1.5 text-muted">
      <Icon size={14} className={`mt-1 shrink-0 ${TONES[severity]}`} aria-hidden />
      <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
        <span className="sr-only">{`${t(`notice.${severity}`)}: `}</span>
        {part.notice_id === MEMORY_LOST ? t("notice.memoryLost") : reveal(part.title)}
        {part.description && <span className="block text-xs">{reveal(part.description)}</span>}
      </span>
    </p>
  );
}

const COMPACTION_STATES = ["in_progress", "completed", "failed", "cancelled"] as const;

/** The agent made its context shorter: what it forgot here is in the chat, but no longer in its mind. */
export function Compaction({ part, live }: { part: PartOf<"compaction">; live: boolean }) {
  const { t } = useTranslation();
  const known = COMPACTION_STATES.find((state) => state === part.status);
  const state = known === "in_progress" && !live ? "cancelled" : known;
  const line = (
    <span className="flex min-w-0 items-center gap-1.5">
      <Minimize2 size={14} className="shrink-0" aria-hidden />
      <span className="min-w-0">{state ? t(`notice.compaction.${state}`) : t("notice.compaction.other", { status: part.status ?? "?" })}</span>
    </span>
  );
  const said = part.error ?? part.summary;
  if (!said) return <p className="text-muted">{line}</p>;
  return (
    <Fold summary={line}>
      {() => (
        <div className="ms-2.5 border-s-2 border-line ps-3 text-muted">
          <Markdown text={said} done={state !== "in_progress"} />
        </div>
      )}
    </Fold>
  );
}
