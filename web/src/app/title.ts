import { useEffect } from "react";
import type { TaskState } from "../api/types";
import failed from "./icons/failed.svg";
import running from "./icons/running.svg";
import waiting from "./icons/waiting.svg";

const ICONS: Record<TaskState, string> = {
  idle: "/favicon.svg",
  queued: running,
  running,
  background: running,
  waiting,
  error: failed,
  interrupted: failed,
};

/** Names the tab, and lets its icon show how its task stands. */
export function useTitle(parts: readonly (string | null | undefined)[], state: TaskState = "idle"): void {
  const title = [...parts.filter(Boolean), "Drover"].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]') ?? document.createElement("link");
    link.rel = "icon";
    link.href = ICONS[state];
    document.head.append(link);
  }, [state]);
}
