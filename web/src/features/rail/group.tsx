import { ChevronRight } from "lucide-react";
import { memo, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Task } from "../../api/types";
import { taskPath } from "../../app/routes";
import { needsYou } from "../../state/overview";
import { Button } from "../../ui/button";
import { TaskRow } from "../../ui/task-row";
import { RailTaskMenu } from "./menus";
import { useFolded } from "./order";

const SHOWN = 8;
const MORE = 24;

interface Props {
  id: string;
  title: string;
  tasks: Task[];
  path: string;
  /** The heading, around the switch that folds the group. */
  children(fold: ReactNode): ReactNode;
}

/** A heading with its tasks, foldable. A folded group still shows what needs somebody and where one is. */
export function Group({ id, title, tasks, path, children }: Props) {
  const { t } = useTranslation();
  const [folded, toggle] = useFolded(id);
  const [limit, setLimit] = useState(SHOWN);
  const list = useId();
  const isCurrent = (task: Task) => path.endsWith(`/t/${task.id}`);
  const open = tasks.slice(0, limit);
  const current = tasks.find(isCurrent);
  // Where one is stays in sight, however old it is.
  if (current && !open.includes(current)) open.push(current);
  const shown = folded ? tasks.filter((task) => needsYou(task) || isCurrent(task)) : open;
  const fold = (
    <button
      type="button"
      aria-expanded={!folded}
      aria-controls={list}
      aria-label={folded ? t("rail.unfold", { name: title }) : t("rail.fold", { name: title })}
      className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover"
      onClick={toggle}
    >
      <ChevronRight size={14} aria-hidden className={folded ? "" : "rotate-90"} />
    </button>
  );
  return (
    <section className="mb-2" aria-label={title}>
      {children(fold)}
      <ul id={list}>
        {shown.map((task) => (
          <TaskEntry key={task.id} task={task} current={isCurrent(task)} />
        ))}
      </ul>
      {!folded && tasks.length > limit && (
        <Button look="quiet" className="w-full justify-start ps-8 text-xs" onClick={() => setLimit(limit + MORE)}>
          {t("rail.moreTasks", { count: tasks.length - limit })}
        </Button>
      )}
    </section>
  );
}

/** A task of the rail. Its menu is at hand for who points at it or comes by keyboard. */
const TaskEntry = memo(function TaskEntry({ task, current }: { task: Task; current: boolean }) {
  return (
    <li className="group relative">
      <TaskRow task={task} to={taskPath(task)} current={current} className="ps-3 group-focus-within:pe-8 group-hover:pe-8 pointer-coarse:pe-11" />
      <span className="absolute inset-y-0 end-0.5 flex items-center opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-[[data-popup-open]]:opacity-100 pointer-coarse:opacity-100">
        <RailTaskMenu task={task} />
      </span>
    </li>
  );
});
