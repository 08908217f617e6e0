import { useQuery } from "@tanstack/react-query";
import { ArrowRightLeft } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { getHandoff } from "../../api/calls";
import type { Agent } from "../../api/types";
import { useTopic } from "../../app/context";
import { tagOf } from "../../i18n";
import { missedBy } from "../../state/missed";
import type { TaskStore } from "../../state/task-store";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error-note";
import { byteSize } from "../../ui/format";
import { HandoffText } from "./handoff-text";

/** Says, before anything is sent, what the chosen agent will be handed because it has missed it. */
export function HandoffPreview({ store, agent }: { store: TaskStore; agent: Agent }) {
  // Both: what another agent adds, and what this one is told by a turn of its own, change it.
  const missed = useTopic(store, "heads", ({ state }) => missedBy(state, agent.id));
  const seen = useTopic(store, "links", ({ state }) => state?.links.get(agent.id)?.seen_ordinal ?? 0);
  if (missed === 0) return null;
  return <Missed store={store} agent={agent} version={`${seen}:${missed}`} />;
}

function Missed({ store, agent, version }: { store: TaskStore; agent: Agent; version: string }) {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["handoff", store.task, agent.id, version],
    queryFn: () => getHandoff(store.task, agent.id),
    placeholderData: (before) => before,
  });
  if (error) return <ErrorNote error={error} lead={t("handoff.unknown", { agent: agent.name })} />;
  if (!data || data.turns === 0) return null;
  const size = byteSize(data.bytes, tagOf(i18n.language));
  const line = data.new_session ? "handoff.willFresh" : "handoff.will";
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex min-h-7 max-w-full shrink-0 items-center gap-1.5 self-start rounded-md px-1.5 text-start text-xs text-muted hover:bg-hover hover:text-text pointer-coarse:min-h-11"
      >
        <ArrowRightLeft size={14} className="shrink-0" aria-hidden />
        <span>{t(line, { agent: agent.name, count: data.turns, size })}</span>
      </button>
      <Dialog open={open} title={t("handoff.previewTitle", { agent: agent.name })} onClose={() => setOpen(false)}>
        <p className="mb-2 text-muted">{t("handoff.previewBody", { agent: agent.name })}</p>
        <HandoffText text={data.text} />
      </Dialog>
    </>
  );
}
