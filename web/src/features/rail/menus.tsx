import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Project, Task } from "../../api/types";
import { IconButton } from "../../ui/button";
import { oneLine, reveal } from "../../ui/text";
import { ProjectMenu } from "../manage/project-menu";
import { TaskMenu } from "../manage/task-menu";

export function RailTaskMenu({ task }: { task: Task }) {
  const { t } = useTranslation();
  return <TaskMenu task={task} trigger={<Trigger name={reveal(oneLine(task.title ?? "")) || t("task.untitled")} />} />;
}

export function RailProjectMenu({ project, children }: { project: Project; children: ReactNode }) {
  return (
    <ProjectMenu project={project} trigger={<Trigger name={project.name} />}>
      {children}
    </ProjectMenu>
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
