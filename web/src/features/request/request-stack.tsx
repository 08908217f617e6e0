import { lazy, Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useChat } from "../../app/context";
import { useKeys } from "../../app/use-keys";
import type { AgentRequest } from "../../api/types";
import type { TaskStore } from "../../state/task-store";
import { forgetDraft } from "./form-draft";
import { Outcome } from "./outcome";
import { PermissionCard } from "./permission-card";

/** Seldom needed, so not a part of the first load. */
const ElicitationCard = lazy(() => import("./elicitation-card").then((module) => ({ default: module.ElicitationCard })));

/** A key typed into something that has just been replaced by a question must not answer it. */
const GRACE_MS = 600;

/** The open questions of a task, oldest first, always in sight above the composer; and how the last one ended. */
export function RequestStack({ store }: { store: TaskStore }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const requests = [...(useChat(store, "requests")?.values() ?? [])].toSorted((a, b) => a.id.localeCompare(b.id));
  const open = requests.filter(({ state }) => state === "open");
  const last = requests.findLast(({ state }) => state !== "open");
  useAnswerKeys(box, open);
  useKeys({ nextQuestion: () => focusNext(box.current) });
  useEffect(() => {
    for (const { id, state } of requests) if (state !== "open") forgetDraft(id);
  }, [requests]);
  const tooSoon = useShifted(open);
  return (
    <>
      {open.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- takes away clicks that were meant for another question
        <div
          ref={box}
          role="group"
          aria-label={t("request.heading")}
          onClickCapture={(event) => tooSoon() && (event.preventDefault(), event.stopPropagation())}
          className="flex min-h-16 flex-col gap-2 overflow-y-auto"
        >
          {open.map((request, index) =>
            request.kind === "permission" ? (
              <PermissionCard key={request.id} store={store} request={request} index={index} count={open.length} />
            ) : (
              <Suspense key={request.id} fallback={null}>
                <ElicitationCard request={request} index={index} count={open.length} />
              </Suspense>
            ),
          )}
        </div>
      )}
      {last && <Outcome key={`${last.id}:${last.state}:${last.completed_at ?? ""}`} request={last} />}
    </>
  );
}

/** The focus goes to the first question, or from one to the one after it. False where there is none. */
function focusNext(box: HTMLElement | null): boolean {
  const cards = [...(box?.querySelectorAll<HTMLElement>("[data-request]") ?? [])];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[(at + 1) % cards.length];
  next?.focus();
  return next !== undefined;
}

/** Whether questions have just moved up: a second click on the same spot is not meant for the one that is there now. */
function useShifted(open: readonly AgentRequest[]): () => boolean {
  const first = open[0]?.id;
  const before = useRef<string | undefined>(undefined);
  const shiftedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (before.current !== undefined && first !== undefined && first !== before.current) shiftedAt.current = performance.now();
    before.current = first;
  }, [first]);
  return () => performance.now() - shiftedAt.current < GRACE_MS;
}

/** Keys 1 to 9 choose: in the card that has the focus, else in the only one there is. Never while something is typed. */
function useAnswerKeys(box: React.RefObject<HTMLDivElement | null>, open: readonly AgentRequest[]): void {
  const newest = open.at(-1)?.id;
  const shownAt = useRef(0);
  useEffect(() => {
    if (newest !== undefined) shownAt.current = performance.now();
  }, [newest]);
  const count = open.length;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!/^[1-9]$/.test(event.key) || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("input, textarea, select, [contenteditable], [role=dialog], [role=menu]")) return;
      if (performance.now() - shownAt.current < GRACE_MS) return;
      const card = target?.closest("[data-request]") ?? (count === 1 ? box.current?.querySelector("[data-request]") : null);
      card?.querySelector<HTMLButtonElement>(`[data-option="${event.key}"]`)?.click();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [box, count]);
}
