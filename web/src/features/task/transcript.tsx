import { ArrowDown } from "lucide-react";
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Id } from "../../api/types";
import { useChat, useTopic } from "../../app/context";
import { queuedOf } from "../../state/queue";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { Turn } from "./turn";
import { useHashTarget } from "./use-hash-target";
import { useStickToEnd } from "./use-stick-to-end";

export interface TranscriptHandle {
  toEnd(): void;
}

/** The messages that have their place. Queued ones wait above the composer. */
export function Transcript({ store, ref }: { store: TaskStore; ref: Ref<TranscriptHandle> }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const order = useChat(store, "order") ?? [];
  const queued = useTopic(store, "heads", ({ state }) => queuedOf(state).flatMap(({ messages }) => messages).join());
  const settled = order.filter((id) => !queued.includes(id));
  const { atEnd, toEnd, letGo } = useStickToEnd(scroller, content);
  const behind = useBehind(store, atEnd);
  useImperativeHandle(ref, () => ({ toEnd }), [toEnd]);
  useHashTarget(store, order, scroller, letGo);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={t("task.chat")}
        tabIndex={0}
        className="h-full overflow-y-auto [contain:strict] outline-offset-[-2px]"
      >
        <div ref={content} className="mx-auto flex w-full max-w-[48rem] flex-col gap-5 px-4 py-5">
          <h2 className="sr-only">{t("task.chat")}</h2>
          <OlderMessages store={store} scroller={scroller} first={settled[0]} />
          {settled.length === 0 && <p className="text-muted">{t("task.empty")}</p>}
          {settled.map((id) => (
            <Turn key={id} store={store} id={id} />
          ))}
        </div>
      </div>
      {!atEnd && (
        <Button className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-sm" onClick={toEnd}>
          <ArrowDown size={14} aria-hidden />
          {behind ? t("task.newBelow") : t("task.toEnd")}
        </Button>
      )}
    </div>
  );
}

/** Whether something came at the end while the reader was elsewhere. */
function useBehind(store: TaskStore, atEnd: boolean): boolean {
  const end = useTopic(store, "heads", ({ state }) => {
    const last = state?.order.at(-1);
    return last === undefined ? "" : `${last}:${state?.entries.get(last)?.parts.length}`;
  });
  const [seen, setSeen] = useState(end);
  if (atEnd && seen !== end) setSeen(end);
  return !atEnd && seen !== end;
}

interface OlderProps {
  store: TaskStore;
  scroller: React.RefObject<HTMLDivElement | null>;
  first: Id | undefined;
}

/** Loads what came before, on reaching it; the line under the reader's eye stays where it is. */
function OlderMessages({ store, scroller, first }: OlderProps) {
  const { t } = useTranslation();
  const hasMore = useTopic(store, "order", ({ state }) => state?.hasMore ?? false);
  const [loading, setLoading] = useState(false);
  const marker = useRef<HTMLDivElement>(null);
  const anchor = useRef<{ element: Element; top: number; first: Id | undefined } | null>(null);
  useLayoutEffect(() => {
    const { current: held } = anchor;
    if (!held || held.first === first) return;
    scroller.current?.scrollBy({ top: held.element.getBoundingClientRect().top - held.top, behavior: "instant" });
    anchor.current = null;
  }, [first, scroller]);
  const load = async () => {
    setLoading(true);
    try {
      const element = marker.current?.nextElementSibling ?? null;
      const before = store.state?.order[0];
      const loaded = store.loadOlder();
      const stop = store.subscribe("order", () => {
        // Now, before the older messages are drawn, is where the reader is.
        if (element && store.state?.order[0] !== before) {
          anchor.current = { element, top: element.getBoundingClientRect().top, first };
        }
      });
      await loaded.finally(stop);
    } finally {
      setLoading(false);
    }
  };
  useEffect(() => {
    const { current: mark } = marker;
    if (!mark || !hasMore || loading) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        // A failure leaves the button: it is not tried again by itself.
        if (entry?.isIntersecting && (scroller.current?.scrollTop ?? 0) > 0) void load().catch(() => {});
      },
      { root: scroller.current, rootMargin: "200px" },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  });
  return (
    <div ref={marker} hidden={!hasMore} className="text-center">
      <Button look="quiet" disabled={loading} onClick={() => void load().catch(() => {})}>
        {loading ? t("task.loadingOlder") : t("task.older")}
      </Button>
    </div>
  );
}
