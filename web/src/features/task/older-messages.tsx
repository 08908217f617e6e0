import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";

/** Pixels that the row takes: what comes after it begins there. */
export const OLDER_HEIGHT = 40;

/** Loads what came before, on coming near it. */
export function OlderMessages({ store, scroller }: { store: TaskStore; scroller: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation();
  const [loading, setLoading] = useState(false);
  const marker = useRef<HTMLDivElement>(null);
  const load = () => {
    setLoading(true);
    // A failure leaves the button: it is not tried again by itself.
    store.loadOlder().then(
      () => setLoading(false),
      () => setLoading(false),
    );
  };
  useEffect(() => {
    const { current: mark } = marker;
    if (!mark || loading) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting && (scroller.current?.scrollTop ?? 0) > 0) load();
      },
      { root: scroller.current, rootMargin: "400px" },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  });
  return (
    <div ref={marker} className="text-center" style={{ height: OLDER_HEIGHT }}>
      <Button look="quiet" disabled={loading} onClick={load}>
        {loading ? t("task.loadingOlder") : t("task.older")}
      </Button>
    </div>
  );
}
