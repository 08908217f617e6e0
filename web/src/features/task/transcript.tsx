import { ArrowDown } from "lucide-react";
import { type Ref, type RefObject, useCallback, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { Id } from "../../api/types";
import { useChat, useTopic } from "../../app/context";
import { queuedOf } from "../../state/queue";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { OLDER_HEIGHT, OlderMessages } from "./older-messages";
import { PlaceKeeper } from "./place-keeper";
import { Turn } from "./turn";
import { useDrawn } from "./use-drawn";
import { useHashTarget } from "./use-hash-target";
import { useKeptTurns } from "./use-kept-turns";
import { useNewBelow } from "./use-new-below";
import { useSteps } from "./use-steps";

export interface TranscriptHandle {
  toEnd(): void;
}

/** Pixels above the first turn. */
const TOP = 20;

/** The messages that have their place. Queued ones wait above the composer. Only those near the pane are in the page. */
export function Transcript({ store, ref }: { store: TaskStore; ref: Ref<TranscriptHandle> }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const settled = useSettled(store);
  const hasMore = useTopic(store, "order", ({ state }) => state?.hasMore ?? false);
  const { drawn, whole } = useDrawn(settled);
  const { keeper, atEnd } = useKeptPlace(scroller, drawn);
  const toEnd = useCallback(() => keeper.toEnd(), [keeper]);
  const { show, appeared } = useSteps(list, scroller, drawn, useCallback(() => keeper.letGo(), [keeper]));
  const looking = useHashTarget(store, whole && drawn.length > 0, show);
  const kept = useKeptTurns(scroller, drawn);
  const older = whole && hasMore;
  useImperativeHandle(ref, () => ({ toEnd }), [toEnd]);
  const watch = useCallback(
    (element: HTMLElement | null) => {
      if (element) appeared(element);
      return keeper.watch(element);
    },
    [keeper, appeared],
  );
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={t("task.chat")}
        aria-busy={looking}
        tabIndex={0}
        className="h-full overflow-y-auto outline-offset-[-2px] min-[1100px]:[scrollbar-gutter:stable_both-edges] [contain:strict] [overflow-anchor:none]"
      >
        <div className="mx-auto w-full max-w-[48rem] px-4" style={{ paddingTop: TOP }}>
          <h2 className="sr-only">{t("task.chat")}</h2>
          {older && <OlderMessages store={store} scroller={scroller} />}
          {settled.length === 0 && <p className="text-muted">{t("task.empty")}</p>}
          <Virtualizer
            ref={list}
            scrollRef={scroller}
            startMargin={TOP + (older ? OLDER_HEIGHT : 0)}
            bufferSize={400}
            shift={usePrepended(drawn)}
            data={drawn}
            keepMounted={whole ? kept : [...drawn.keys()]}
          >
            {(id) => <Turn key={id} store={store} id={id} watch={watch} />}
          </Virtualizer>
        </div>
      </div>
      {!atEnd && <ToEnd store={store} settled={settled} toEnd={toEnd} />}
    </div>
  );
}

/** The ids of the messages that do not wait for their turn, the same array while they are the same. */
function useSettled(store: TaskStore): readonly Id[] {
  const order = useChat(store, "order");
  const queued = useTopic(store, "heads", ({ state }) => queuedOf(state).flatMap(({ messages }) => messages).join());
  return useMemo(() => {
    const waiting = new Set(queued.split(","));
    return (order ?? []).filter((id) => !waiting.has(id));
  }, [order, queued]);
}

function useKeptPlace(scroller: RefObject<HTMLElement | null>, settled: readonly Id[]): { keeper: PlaceKeeper; atEnd: boolean } {
  const [atEnd, setAtEnd] = useState(true);
  const [keeper] = useState(() => new PlaceKeeper(setAtEnd));
  useLayoutEffect(() => (scroller.current ? keeper.attach(scroller.current) : undefined), [keeper, scroller]);
  // At once, before a scroll event takes what the list did for the reader's wish.
  useLayoutEffect(() => keeper.changed(settled), [keeper, settled]);
  return { keeper, atEnd };
}

/** Whether older messages have come in front since it was last drawn: only then the list keeps its distance from the end. */
function usePrepended(settled: readonly Id[]): boolean {
  const [first] = settled;
  const [known, setKnown] = useState(first);
  useLayoutEffect(() => setKnown(first), [first]);
  return first !== known && known !== undefined && settled.includes(known);
}

interface ToEndProps {
  store: TaskStore;
  settled: readonly Id[];
  toEnd(): void;
}

/** The way to the end for a reader who is elsewhere, with how much is new there. */
function ToEnd({ store, settled, toEnd }: ToEndProps) {
  const { t } = useTranslation();
  const { messages, lines } = useNewBelow(store, settled);
  const more = messages > 0 ? t("task.newMessages", { count: messages }) : lines > 0 ? t("task.newLines", { count: lines }) : null;
  return (
    <Button className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-sm" onClick={toEnd}>
      <ArrowDown size={14} aria-hidden />
      {more ?? t("task.toEnd")}
    </Button>
  );
}
