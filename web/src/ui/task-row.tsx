import { Pin } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Task } from "../api/types";
import { TaskDot } from "./task-dot";
import { oneLine, reveal } from "./text";
import { Time } from "./time";

interface Props {
  task: Task;
  to: string;
  current?: boolean;
  /** Where the task belongs, in lists of several projects. */
  place?: string | undefined;
  at?: string;
  /** Says the state in a word, where there is room for one. */
  word?: boolean;
  className?: string;
}

/** One task in a list: its state, its title and when something last happened. */
export function TaskRow({ task, to, current = false, place, at, word = false, className = "" }: Props) {
  const { t } = useTranslation();
  return (
    <Link
      href={to}
      aria-current={current ? "page" : undefined}
      className={`flex min-h-8 min-w-0 items-center gap-2 rounded-md px-2 py-1 hover:bg-hover ${current ? "bg-hover" : ""} ${className}`}
    >
      <TaskDot task={task} />
      <span className={`min-w-0 flex-1 truncate ${task.unread ? "font-semibold" : ""}`}>
        {reveal(oneLine(task.title ?? "")) || t("task.untitled")}
      </span>
      {task.pinned && <Pin size={12} className="shrink-0 text-muted" aria-hidden />}
      {word && <StateWord task={task} />}
      {place && <span className="max-w-[30%] shrink-0 truncate text-xs text-muted">{place}</span>}
      {at && <Time at={at} className="shrink-0 text-xs text-muted" />}
    </Link>
  );
}

const WORD_COLOURS: Partial<Record<Task["state"], string>> = {
  waiting: "text-accent",
  error: "text-danger",
  interrupted: "text-danger",
  running: "text-running",
  background: "text-running",
  queued: "text-running",
};

/** What is more than idle, in a word for the eye; the dot has said it to the ear. */
function StateWord({ task }: { task: Task }) {
  const { t } = useTranslation();
  if (task.state === "idle") return null;
  return (
    <span aria-hidden="true" className={`shrink-0 text-xs max-[640px]:hidden ${WORD_COLOURS[task.state] ?? ""}`}>
      {t(`state.${task.state}`)}
    </span>
  );
}
