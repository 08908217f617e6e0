import { Folder, FolderX, Inbox, Plus, Settings } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import type { Project, Task } from "../../api/types";
import { useOverview } from "../../app/context";
import { newTaskPath, projectPath, taskPath } from "../../app/routes";
import { needsYou, tasksByActivity } from "../../state/overview";
import { Button } from "../../ui/button";
import { TaskRow } from "../../ui/task-row";
import { ConnectionIndicator } from "../connection/indicator";

const SHOWN = 8;

/** Projects with their tasks, at the edge until wanted. */
export function Rail() {
  const { t } = useTranslation();
  const { projects, tasks, nextTasks } = useOverview();
  const [path] = useLocation();
  const ordered = tasksByActivity(tasks.values());
  const waiting = ordered.filter(needsYou).length;
  const sorted = [...projects.values()].toSorted((a, b) => a.name.localeCompare(b.name));
  const loose = ordered.filter((task) => !task.project_id || !projects.has(task.project_id));
  const project = /^\/p\/([^/]+)/.exec(path)?.[1] ?? null;
  return (
    <nav aria-label={t("rail.label")} className="flex h-full flex-col gap-1 bg-rail p-2">
      <Entry to="/" current={path === "/"} icon={<Inbox size={16} aria-hidden />}>
        <span className="flex-1">{t("rail.inbox")}</span>
        {waiting > 0 && (
          <span className="rounded-full bg-accent-fill px-1.5 text-xs text-accent-on">
            <span aria-hidden="true">{waiting}</span>
            <span className="sr-only">{t("rail.needsYou", { count: waiting })}</span>
          </span>
        )}
      </Entry>
      <Entry to={newTaskPath(project)} current={path === "/new"} icon={<Plus size={16} aria-hidden />}>
        {t("rail.newTask")}
      </Entry>
      <div className="-mx-2 min-h-0 flex-1 overflow-y-auto px-2 py-1">
        {sorted.map((each) => (
          <ProjectGroup key={each.id} project={each} tasks={ordered.filter((task) => task.project_id === each.id)} path={path} />
        ))}
        {loose.length > 0 && <Group title={t("rail.noProject")} to={null} tasks={loose} path={path} />}
        {nextTasks !== null && <MoreTasks />}
        <Entry to="/add" current={path === "/add"} icon={<Plus size={16} aria-hidden />}>
          <span className="text-muted">{t("rail.addProject")}</span>
        </Entry>
      </div>
      <footer className="flex items-center justify-between gap-2 border-t border-line pt-1">
        <Entry to="/settings" current={path.startsWith("/settings")} icon={<Settings size={16} aria-hidden />}>
          {t("rail.settings")}
        </Entry>
        <ConnectionIndicator />
      </footer>
    </nav>
  );
}

function Entry({ to, current, icon, children }: { to: string; current: boolean; icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <Link
      href={to}
      aria-current={current ? "page" : undefined}
      className={`flex min-h-8 items-center gap-2 rounded-md px-2 py-1 hover:bg-hover ${current ? "bg-hover font-medium" : ""}`}
    >
      {icon}
      {children}
    </Link>
  );
}

function ProjectGroup({ project, tasks, path }: { project: Project; tasks: Task[]; path: string }) {
  const { t } = useTranslation();
  const icon = project.missing ? (
    <FolderX size={14} className="shrink-0 text-danger" aria-label={t("rail.missing")} />
  ) : (
    <Folder size={14} className="shrink-0 text-muted" aria-hidden />
  );
  return <Group title={project.name} hint={project.path} icon={icon} to={projectPath(project.id)} tasks={tasks} path={path} />;
}

interface GroupProps {
  title: string;
  hint?: string;
  icon?: React.ReactNode;
  to: string | null;
  tasks: Task[];
  path: string;
}

function Group({ title, hint, icon, to, tasks, path }: GroupProps) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const shown = all ? tasks : tasks.slice(0, SHOWN);
  const heading = "flex min-h-7 items-center gap-1.5 rounded-md px-2 text-xs font-semibold text-muted";
  return (
    <section className="mb-2">
      <h2>
        {to ? (
          <Link href={to} title={hint} aria-current={path === to ? "page" : undefined} className={`${heading} hover:bg-hover aria-[current]:bg-hover`}>
            {icon}
            <span className="min-w-0 truncate">{title}</span>
          </Link>
        ) : (
          <span className={heading}>{title}</span>
        )}
      </h2>
      <ul>
        {shown.map((task) => (
          <li key={task.id}>
            <TaskRow task={task} to={taskPath(task)} current={path.endsWith(`/t/${task.id}`)} />
          </li>
        ))}
      </ul>
      {tasks.length > shown.length && (
        <Button look="quiet" className="w-full justify-start text-xs" onClick={() => setAll(true)}>
          {t("app.more")}
        </Button>
      )}
    </section>
  );
}

function MoreTasks() {
  const { t } = useTranslation();
  const { tasks } = useOverview();
  return tasks.size > 0 ? (
    <Link href="/" className="block px-2 py-1 text-xs text-muted hover:underline">
      {t("project.older")}
    </Link>
  ) : null;
}
