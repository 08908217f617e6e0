import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Id, Task } from "../../api/types";
import { useOverview } from "../../app/context";
import { tasksByActivity } from "../../state/overview";
import { moveProject, orderProjects, stepTarget } from "../../state/project-order";
import { announce } from "../../ui/announcer";
import { Group } from "./group";
import { saveProjectOrder, useProjectOrder } from "./order";
import { ProjectHeading } from "./project-heading";

const LOOSE = "loose";

/** One group a project, in the chosen order, and one for the tasks of none. */
export function Groups({ path }: { path: string }) {
  const { t } = useTranslation();
  const { projects, tasks, nextTasks } = useOverview();
  const order = useProjectOrder();
  const [dragged, setDragged] = useState<Id | null>(null);
  const byProject = useMemo(() => groupTasks(tasks.values()), [tasks]);
  const shown = useMemo(() => orderProjects(projects.values(), order), [projects, order]);
  const ids = shown.map(({ id }) => id);
  const step = (id: Id, by: -1 | 1) => {
    const before = stepTarget(ids, id, by);
    if (before === undefined) return;
    const next = moveProject(ids, id, before);
    saveProjectOrder(next);
    announce(t("rail.moved", { name: projects.get(id)?.name, place: next.indexOf(id) + 1, count: next.length }));
  };
  const drop = (before: Id) => {
    if (dragged !== null) saveProjectOrder(moveProject(ids, dragged, ids.indexOf(dragged) < ids.indexOf(before) ? after(ids, before) : before));
    setDragged(null);
  };
  const loose = tasksByActivity([...tasks.values()].filter((task) => !task.project_id || !projects.has(task.project_id)));
  return (
    <>
      {shown.map((project, index) => (
        <Group key={project.id} id={project.id} title={project.name} tasks={byProject.get(project.id) ?? []} path={path}>
          {(fold) => (
            <ProjectHeading
              project={project}
              path={path}
              fold={fold}
              onStep={(by) => step(project.id, by)}
              first={index === 0}
              last={index === shown.length - 1}
              drag={{
                dragged,
                onStart: () => setDragged(project.id),
                onDrop: () => drop(project.id),
                onEnd: () => setDragged(null),
              }}
            />
          )}
        </Group>
      ))}
      {loose.length > 0 && (
        <Group id={LOOSE} title={t("rail.noProject")} tasks={loose} path={path}>
          {(fold) => (
            <h2 className="flex min-h-7 items-center text-xs font-semibold text-muted">
              {fold}
              <span className="min-w-0 truncate px-1">{t("rail.noProject")}</span>
            </h2>
          )}
        </Group>
      )}
      {nextTasks !== null && (
        <Link href="/" className="flex min-h-7 items-center rounded-md px-2 text-xs text-muted hover:bg-hover">
          {t("project.older")}
        </Link>
      )}
    </>
  );
}

/** The project behind another, null for the end. */
const after = (ids: readonly Id[], id: Id): Id | null => ids[ids.indexOf(id) + 1] ?? null;

function groupTasks(tasks: Iterable<Task>): Map<Id, Task[]> {
  const groups = new Map<Id, Task[]>();
  for (const task of tasksByActivity(tasks)) {
    if (!task.project_id) continue;
    const group = groups.get(task.project_id);
    if (group) group.push(task);
    else groups.set(task.project_id, [task]);
  }
  return groups;
}
