import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dropRun, getRun, resumeQueue } from "../../api/calls";
import type { Id } from "../../api/types";
import { useChat, useAgents, useTopic } from "../../app/context";
import { type Queued, queuedOf } from "../../state/queue";
import type { TaskStore } from "../../state/task-store";
import { Button, IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { oneLine } from "../../ui/text";

/** Messages that wait for their turn, each with the reason and a way to drop it. */
export function QueueChips({ store }: { store: TaskStore }) {
  const { t } = useTranslation();
  const key = useTopic(store, "heads", ({ state }) => JSON.stringify(queuedOf(state)));
  const task = useChat(store, "task");
  const queued = JSON.parse(key) as Queued[];
  if (queued.length === 0) return null;
  return (
    <>
      {task?.queue_held && <Held task={store.task} />}
      <ul aria-label={t("message.queue")} className="flex max-h-24 shrink-0 flex-col gap-1 overflow-y-auto">
        {queued.map((each) => (
          <Chip key={each.run} store={store} queued={each} />
        ))}
      </ul>
    </>
  );
}

/** After a turn that did not end well the queue waits for a word. */
function Held({ task }: { task: Id }) {
  const { t } = useTranslation();
  const [error, setError] = useState<unknown>(null);
  const resume = () => {
    setError(null);
    resumeQueue(task).catch(setError);
  };
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2">
      {error !== null && <ErrorNote error={error} />}
      <p className="min-w-0 flex-1 text-muted">{t("composer.held")}</p>
      <Button onClick={resume}>{t("composer.resume")}</Button>
    </div>
  );
}

function Chip({ store, queued }: { store: TaskStore; queued: Queued }) {
  const { t } = useTranslation();
  const agents = useAgents();
  const [error, setError] = useState<unknown>(null);
  const told = useChat(store, "runs")?.get(queued.run);
  const { data: asked } = useQuery({ queryKey: ["run", queued.run], queryFn: () => getRun(queued.run), enabled: !told });
  const text = oneLine(queued.text).slice(0, 300);
  const reason = (told ?? asked)?.waiting_for;
  const drop = () => {
    setError(null);
    dropRun(queued.run).catch(setError);
  };
  return (
    <li className="rounded-md border border-line bg-fill">
      <div className="flex items-center gap-2 ps-2.5">
        <span className="shrink-0 text-xs text-muted">{agents.get(queued.agent)?.name ?? queued.agent}</span>
        <span className="min-w-0 flex-1 truncate">{text}</span>
        {reason && <span className="hidden max-w-[45%] truncate text-xs text-muted sm:block">{t(`message.queuedBy.${reason}`)}</span>}
        <IconButton label={t("message.dropLabel", { text: text.slice(0, 80) })} onClick={drop}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </li>
  );
}
