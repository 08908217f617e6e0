import { Pause } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { patchRun, resumeQueue } from "../../api/calls";
import type { Id } from "../../api/types";
import { useChat, useTopic } from "../../app/context";
import { handOnFocus } from "../../app/focus";
import { beforeAt, heldBy, type Queued, queuedOf } from "../../state/queue";
import type { TaskStore } from "../../state/task-store";
import { announce } from "../../ui/announcer";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { QueueChip } from "./queue-chip";

/** Messages that wait for their turn: why, in which order, and what can be done with each. */
export function QueueChips({ store }: { store: TaskStore }) {
  const { t } = useTranslation();
  const key = useTopic(store, "heads", ({ state }) => JSON.stringify(queuedOf(state)));
  const task = useChat(store, "task");
  const [error, setError] = useState<unknown>(null);
  const [dragged, setDragged] = useState<Id | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const queued = JSON.parse(key) as Queued[];
  const order = queued.map(({ run }) => run);
  useKeptFocus(list, order.join());
  if (queued.length === 0) return null;
  const move = (run: Id, to: number) => {
    if (to < 0 || to >= order.length) return;
    setError(null);
    patchRun(run, { before: beforeAt(order, run, to) }).then(() => announce(t("queue.moved", { place: to + 1, count: order.length })), setError);
  };
  return (
    <section aria-label={t("queue.label")} className="flex min-h-16 shrink-[3] flex-col gap-1">
      {task?.queue_held && <Held store={store} />}
      {error !== null && <ErrorNote error={error} lead={t("queue.notMoved")} onDismiss={() => setError(null)} />}
      <ul ref={list} aria-label={t("message.queue")} className="flex max-h-[min(14rem,30vh)] min-h-0 flex-col gap-1 overflow-y-auto">
        {queued.map((each, place) => (
          <QueueChip
            key={each.run}
            store={store}
            queued={each}
            place={place}
            count={queued.length}
            held={task?.queue_held ?? false}
            onMove={(to) => move(each.run, to)}
            onDrag={setDragged}
            onDropHere={dragged === null || dragged === each.run ? null : () => move(dragged, place)}
          />
        ))}
      </ul>
    </section>
  );
}

/** After a turn that did not end well the queue waits for a word. */
function Held({ store }: { store: TaskStore }) {
  const { t } = useTranslation();
  const [error, setError] = useState<unknown>(null);
  const why = useTopic(store, "heads", ({ state }) => heldBy(state));
  const resume = () => {
    setError(null);
    resumeQueue(store.task).catch(setError);
  };
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        <Pause size={14} className="shrink-0 text-muted" aria-hidden />
        <p className="min-w-0 flex-1 text-muted">{t(`queue.held.${why}`)}</p>
        <Button onClick={resume}>{t("composer.resume")}</Button>
      </div>
      {error !== null && <ErrorNote error={error} onDismiss={() => setError(null)} />}
    </div>
  );
}

/**
 * A chip that moves or goes takes the focus of its buttons with it. A chip that is still there gets it back on the same
 * button; else it goes to the chip in its place, on a button that does nothing by itself, or to the composer.
 */
function useKeptFocus(list: React.RefObject<HTMLUListElement | null>, order: string): void {
  const last = useRef<{ run: string; act: string; place: number } | null>(null);
  useEffect(() => {
    const note = (event: FocusEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      const chip = target?.closest<HTMLElement>("[data-run]");
      const inside = chip && list.current?.contains(chip);
      last.current = inside
        ? { run: chip.dataset.run ?? "", act: target?.closest<HTMLElement>("[data-act]")?.dataset.act ?? "", place: [...(list.current?.children ?? [])].indexOf(chip) }
        : null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, [list]);
  useEffect(() => {
    const { current: before } = last;
    if (!before || document.activeElement !== document.body) return;
    const chips = [...(list.current?.querySelectorAll<HTMLElement>("[data-run]") ?? [])];
    const own = chips.find(({ dataset }) => dataset.run === before.run);
    const chip = own ?? chips[Math.min(before.place, chips.length - 1)];
    if (!chip) return handOnFocus(null);
    const buttons = [...chip.querySelectorAll<HTMLButtonElement>("[data-act]:not(:disabled)")];
    const harmless = buttons.find(({ dataset }) => dataset.act === "edit");
    (buttons.find(({ dataset }) => own && dataset.act === before.act) ?? harmless)?.focus();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a change of the order is what takes the focus
  }, [list, order]);
}
