import { Circle, CircleAlert, CircleDashed, CircleDot, CircleHelp, CircleSlash, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Task } from "../api/types";

/** A task's state by shape, colour and word. */
export function TaskDot({ task }: { task: Pick<Task, "state" | "unread"> }) {
  const { t } = useTranslation();
  const { state, unread } = task;
  const word = state === "idle" && unread ? t("state.unread") : t(`state.${state}`);
  return (
    <span className="flex w-4 shrink-0 justify-center" title={word}>
      {dot(state, unread)}
      <span className="sr-only">{word}</span>
    </span>
  );
}

function dot(state: Task["state"], unread: boolean) {
  const size = { size: 14, "aria-hidden": true } as const;
  switch (state) {
    case "waiting":
      return <CircleHelp {...size} className="text-accent" />;
    case "running":
    case "background":
      return <LoaderCircle {...size} className="breathe text-running" />;
    case "queued":
      return <CircleDashed {...size} className="text-running" />;
    case "error":
      return <CircleAlert {...size} className="text-danger" />;
    case "interrupted":
      return <CircleSlash {...size} className="text-danger" />;
    case "idle":
      return unread ? <CircleDot {...size} className="text-accent" /> : <Circle {...size} className="text-line-strong" />;
    default:
      return state satisfies never;
  }
}
