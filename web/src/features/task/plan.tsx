import { Circle, CircleCheck, CircleDot, ListChecks } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isRecord } from "../../api/problem";
import type { PartOf } from "../../api/types";
import { Markdown } from "../../markdown/markdown";
import { readable } from "../../ui/text";

const STATES = { pending: Circle, in_progress: CircleDot, completed: CircleCheck } as const;

const stateOf = (status: unknown) => (Object.keys(STATES) as (keyof typeof STATES)[]).find((state) => state === status);

/** What an agent means to do, with how far it is. */
export function Plan({ part }: { part: PartOf<"plan"> }) {
  const { t } = useTranslation();
  const entries = Array.isArray(part.entries) ? part.entries.filter(isRecord) : [];
  const done = entries.filter(({ status }) => status === "completed").length;
  if (part.removed) return <p className="text-muted">{t("part.planRemoved")}</p>;
  return (
    <section aria-label={t("part.plan")} className="rounded-md border border-line px-3 py-2">
      <p className="mb-1 flex items-center gap-1.5 text-muted">
        <ListChecks size={14} aria-hidden />
        {t("part.plan")}
        {entries.length > 0 && <span className="text-xs">{t("part.planDone", { done, count: entries.length })}</span>}
      </p>
      {part.text && <Markdown text={part.text} done />}
      <ol className="flex flex-col gap-0.5">
        {entries.map((entry, index) => {
          const known = stateOf(entry.status);
          const Icon = STATES[known ?? "pending"];
          const looks = known === "completed" ? "text-muted" : known === "in_progress" ? "font-medium" : "";
          return (
            <li key={index} className="flex gap-1.5">
              <Icon size={14} className={`mt-1 shrink-0 ${known === "in_progress" ? "text-running" : "text-muted"}`} aria-hidden />
              <span className={`min-w-0 whitespace-pre-wrap ${looks}`}>
                {readable(entry.content ?? "")}
                <span className={known ? "sr-only" : "text-xs text-muted"}>
                  {" "}
                  ({known ? t(`part.planStatus.${known}`) : readable(entry.status ?? "")})
                </span>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
