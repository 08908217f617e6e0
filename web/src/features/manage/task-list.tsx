import { Ellipsis } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Task } from "../../api/types";
import { useOverview } from "../../app/context";
import { taskPath } from "../../app/routes";
import { activityOf } from "../../state/overview";
import { IconButton } from "../../ui/button";
import { TaskRow } from "../../ui/task-row";
import { oneLine, reveal } from "../../ui/text";
import { TaskMenu } from "./task-menu";

/** Tasks of any project, each with its state in words and its menu. */
export function TaskList({ tasks, places = true }: { tasks: readonly Task[]; places?: boolean }) {
  const { t } = useTranslation();
  const { projects } = useOverview();
  return (
    <ul>
      {tasks.map((task) => {
        const place = task.project_id ? projects.get(task.project_id)?.name : undefined;
        const name = reveal(oneLine(task.title ?? "")) || t("task.untitled");
        return (
          <li key={task.id} className="flex items-center gap-1">
            <TaskRow task={task} to={taskPath(task)} at={activityOf(task)} place={places ? place : undefined} word className="flex-1" />
            <TaskMenu
              task={task}
              trigger={
                <IconButton label={t("rail.actions", { name })}>
                  <Ellipsis size={14} aria-hidden />
                </IconButton>
              }
            />
          </li>
        );
      })}
    </ul>
  );
}
