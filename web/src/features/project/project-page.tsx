import { Ellipsis } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { deleteProject, renameProject } from "../../api/calls";
import type { Id, Project } from "../../api/types";
import { useOverview, useRuntime } from "../../app/context";
import { taskPath } from "../../app/routes";
import { useTitle } from "../../app/title";
import { activityOf, tasksByActivity } from "../../state/overview";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error-note";
import { TextField } from "../../ui/field";
import { Menu, MenuItem } from "../../ui/menu";
import { Page } from "../../ui/page";
import { TaskRow } from "../../ui/task-row";
import { NewTaskComposer } from "../composer/new-task-composer";
import { TakeTheTour } from "../tour/take-the-tour";

/** A project's tasks, and a composer for a new one. */
export function ProjectPage({ id }: { id: Id }) {
  const { t } = useTranslation();
  const { projects, tasks, loaded } = useOverview();
  const project = projects.get(id);
  useTitle([project?.name]);
  if (!project) {
    return <Page title={loaded ? t("project.gone") : ""}>{!loaded && <p className="appear-late">{t("app.loading")}</p>}</Page>;
  }
  const own = tasksByActivity([...tasks.values()].filter((task) => task.project_id === id));
  return (
    <Page title={project.name} actions={<ProjectMenu project={project} />}>
      <p className="mb-4 text-muted">
        <code>{project.path}</code>
      </p>
      {project.missing && <ErrorNote error={new Error(t("project.missing", { path: project.path }))} />}
      <NewTaskComposer key={id} project={id} />
      <TakeTheTour key={`tour:${id}`} project={id} className="mt-4" />
      <h2 className="mt-8 mb-1 font-semibold">{t("project.tasks")}</h2>
      {own.length === 0 && <p className="text-muted">{t("project.none")}</p>}
      <ul>
        {own.map((task) => (
          <li key={task.id}>
            <TaskRow task={task} to={taskPath(task)} at={activityOf(task)} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** A composer for a task that belongs to no directory of yours. */
export function LooseTaskPage() {
  const { t } = useTranslation();
  useTitle([t("rail.newTask")]);
  return (
    <Page title={t("project.withoutTitle")}>
      <p className="mb-4 text-muted">{t("project.withoutLead")}</p>
      <NewTaskComposer project={null} />
      <TakeTheTour project={null} className="mt-4" />
    </Page>
  );
}

function ProjectMenu({ project }: { project: Project }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState<"rename" | "remove" | null>(null);
  const close = () => setAsking(null);
  const remove = async () => {
    await deleteProject(project.id, "keep");
    runtime.overview.receive([{ seq: 0, kind: "project.deleted", data: { id: project.id } }]);
    navigate("/");
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={t("rail.actions", { name: project.name })}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsking("rename")}>{t("project.rename")}</MenuItem>
        <MenuItem onSelect={() => setAsking("remove")}>{t("project.remove")}</MenuItem>
      </Menu>
      {asking === "rename" && <RenameProject project={project} onClose={close} />}
      <Confirm
        open={asking === "remove"}
        title={t("project.removeTitle", { name: project.name })}
        body={t("project.removeBody")}
        confirm={t("project.removeConfirm")}
        onConfirm={remove}
        onClose={close}
      />
    </>
  );
}

function RenameProject({ project, onClose }: { project: Project; onClose(): void }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const [name, setName] = useState(project.name);
  const [error, setError] = useState<unknown>(null);
  const save = (event: FormEvent) => {
    event.preventDefault();
    renameProject(project.id, name).then((data) => {
      runtime.overview.learn({ seq: 0, kind: "project.upsert", data });
      onClose();
    }, setError);
  };
  return (
    <Dialog open title={t("project.renameTitle")} onClose={onClose}>
      <form onSubmit={save} className="flex flex-col gap-3">
        <TextField label={t("project.name")} value={name} onChange={(event) => setName(event.target.value)} />
        {error !== null && <ErrorNote error={error} />}
        <Button type="submit" look="strong" className="self-end">
          {t("project.save")}
        </Button>
      </form>
    </Dialog>
  );
}
