import { Ellipsis } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Project, Task } from "../../api/types";
import { IconButton } from "../../ui/button";
import { oneLine, reveal } from "../../ui/text";

// Menus and their dialogs are not needed for the first paint.
const TaskMenu = lazy(async () => ({ default: (await import("../manage/task-menu")).TaskMenu }));
const ProjectMenu = lazy(async () => ({ default: (await import("../manage/project-menu")).ProjectMenu }));

export function RailTaskMenu({ task }: { task: Task }) {
  const { t } = useTranslation();
  const trigger = <Trigger name={reveal(oneLine(task.title ?? "")) || t("task.untitled")} />;
  return (
    <Suspense fallback={trigger}>
      <TaskMenu task={task} trigger={trigger} />
    </Suspense>
  );
}

export function RailProjectMenu({ project, children }: { project: Project; children: ReactNode }) {
  const trigger = <Trigger name={project.name} />;
  return (
    <Suspense fallback={trigger}>
      <ProjectMenu project={project} trigger={trigger}>
        {children}
      </ProjectMenu>
    </Suspense>
  );
}

function Trigger({ name, ...rest }: { name: string }) {
  const { t } = useTranslation();
  return (
    <IconButton label={t("rail.actions", { name })} {...rest}>
      <Ellipsis size={14} aria-hidden />
    </IconButton>
  );
}
