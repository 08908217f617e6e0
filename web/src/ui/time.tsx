import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { tagOf } from "../i18n";
import { exactTime, relativeTime } from "./format";

const TICK_MS = 30_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  now = Date.now();
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A moment, relative, with the exact one on hover. */
export function Time({ at, className }: { at: string; className?: string }) {
  const { i18n } = useTranslation();
  const locale = tagOf(i18n.language);
  const present = useSyncExternalStore(subscribe, () => now);
  return (
    <time dateTime={at} title={exactTime(at, locale)} className={className}>
      {relativeTime(at, present, locale)}
    </time>
  );
}
