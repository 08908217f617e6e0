import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { getEvidence } from "../../api/calls";
import type { Evidence, Id, MessageHead } from "../../api/types";
import { useTopic } from "../../app/context";
import { tagOf } from "../../i18n";
import type { TaskStore } from "../../state/task-store";
import { ErrorNote } from "../../ui/error-note";
import { Fold } from "../../ui/fold";
import { clockTime, exactTime } from "../../ui/format";
import { reveal } from "../../ui/text";

/** Where tool calls were cut off, nobody knows whether they happened. What changed on disk since may tell. */
export function UnknownOutcome({ store, head }: { store: TaskStore; head: MessageHead }) {
  const { t } = useTranslation();
  const cut = useTopic(store, `head:${head.id}`, ({ state }) =>
    (state?.entries.get(head.id)?.parts ?? []).filter((part) => part.type === "tool_call" && part.unknown_outcome).length,
  );
  if (cut === 0 || !head.run_id) return null;
  const { run_id: run } = head;
  return (
    <div className="rounded-md border border-line px-2 py-1">
      <p className="px-1 pt-1">{t("evidence.cut", { count: cut })}</p>
      <Fold summary={<span>{t("evidence.show")}</span>}>{() => <Changes run={run} />}</Fold>
    </div>
  );
}

function Changes({ run }: { run: Id }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({ queryKey: ["evidence", run], queryFn: () => getEvidence(run), gcTime: 0 });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <p className="appear-late px-1 text-muted">{t("app.loading")}</p>;
  if (data.root === null) return <p className="px-1 pb-1 text-muted">{t("evidence.none", { detail: data.detail })}</p>;
  return <Found evidence={data} />;
}

function Found({ evidence }: { evidence: Evidence }) {
  const { t, i18n } = useTranslation();
  const locale = tagOf(i18n.language);
  if (evidence.changes.length === 0 && evidence.commits.length === 0) {
    return <p className="px-1 pb-1 text-muted">{t("evidence.nothing")}</p>;
  }
  return (
    <div className="flex flex-col gap-2 px-1 pb-1">
      <ul aria-label={t("evidence.changes")} className="flex flex-col gap-0.5">
        {evidence.changes.map((change) => (
          <li key={change.path} className="flex gap-2">
            <span className="w-20 shrink-0 text-muted">{t(`evidence.kind.${kindOf(change.kind)}`)}</span>
            <span className="min-w-0 flex-1 font-mono text-code break-all">{reveal(change.path)}</span>
            {change.written_at && (
              <time dateTime={change.written_at} title={exactTime(change.written_at, locale)} className="shrink-0 text-xs text-muted">
                {clockTime(change.written_at, locale)}
              </time>
            )}
          </li>
        ))}
      </ul>
      {evidence.commits.length > 0 && (
        <ul aria-label={t("evidence.commits")} className="flex flex-col gap-0.5">
          {evidence.commits.map((commit) => (
            <li key={commit.id} className="flex gap-2">
              <span className="w-20 shrink-0 font-mono text-code text-muted">{commit.id.slice(0, 8)}</span>
              <span className="min-w-0 flex-1 break-words">{reveal(commit.subject)}</span>
            </li>
          ))}
        </ul>
      )}
      {evidence.more && <p className="text-muted">{t("evidence.more")}</p>}
      <p className="text-xs text-muted">{t("evidence.whose")}</p>
    </div>
  );
}

const KINDS = ["modified", "added", "deleted", "untracked", "conflicted"] as const;

/** A newer daemon may know more kinds. */
function kindOf(kind: string): (typeof KINDS)[number] {
  return KINDS.find((known) => known === kind) ?? "modified";
}
