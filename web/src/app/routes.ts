import type { Id, Task } from "../api/types";

export const projectPath = (project: Id): string => `/p/${project}`;

/** Where a task lives: below its project, or by itself. */
export const taskPath = (task: Pick<Task, "id" | "project_id">): string =>
  task.project_id ? `/p/${task.project_id}/t/${task.id}` : `/t/${task.id}`;

export const newTaskPath = (project: Id | null): string => (project ? projectPath(project) : "/new");

/** The project that an address is in. */
export const projectOfPath = (path: string): Id | null => /^\/p\/([^/]+)/.exec(path)?.[1] ?? null;
/** The task that an address shows. */
export function taskOfPath(path: string): Id | null {
  const task = /\/t\/([^/]+)$/.exec(path)?.[1];
  return task === undefined ? null : decodeURIComponent(task);
}
