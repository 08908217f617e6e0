import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { listTasks } from "../../api/calls";
import type { Id } from "../../api/types";
import { useOverview, useOverviewError, useRuntime } from "../../app/context";
import { useTitle } from "../../app/title";
import { needsYou, tasksByActivity } from "../../state/overview";
import { Button, buttonClass } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { ErrorNote } from "../../ui/error-note";
import { Page } from "../../ui/page";
import { NewTaskComposer } from "../composer/new-task-composer";
import { ArchivedTasks } from "../manage/archived-tasks";
import { ProjectMenu } from "../manage/project-menu";
import { TaskList } from "../manage/task-list";
import { TakeTheTour } from "../tour/take-the-tour";

/** A project's tasks, and a composer for a new one. */
export function ProjectPage({ id }: { id: Id }) {
  const { t } = useTranslation();
  const { projects, tasks, loaded } = useOverview();
  const error = useOverviewError();
  const project = projects.get(id);
  const own = tasksByActivity([...tasks.values()].filter((task) => task.project_id === id));
  const urgent = own.filter(needsYou).length;
  useTitle([urgent > 0 ? `(${urgent})` : null, project?.name ?? (loaded ? t("project.goneTitle") : null)], urgent > 0 ? "waiting" : "idle");
  if (!project) return loaded ? <Gone /> : <Page title="">{error !== null && <ErrorNote error={error} lead={t("inbox.loadFailed")} />}</Page>;
  return (
    <Page title={project.name} actions={<ProjectMenu project={project} />}>
      <p className="mb-4 flex items-center gap-1 text-muted">
        <code className="min-w-0 break-all">{project.path}</code>
        <CopyButton text={project.path} label={t("project.copyPath")} />
      </p>
      {project.missing && <ErrorNote error={new Error(t("project.missing", { path: project.path }))} />}
      <NewTaskComposer key={`new-${id}`} project={id} />
      <TakeTheTour key={`tour:${id}`} project={id} className="mt-4" />
      <h2 className="mt-8 mb-1 font-semibold">{t("project.tasks")}</h2>
      {own.length === 0 && <p className="px-2 text-muted">{t("project.none")}</p>}
      <TaskList tasks={own} places={false} />
      <OlderTasks key={`older-${id}`} project={id} />
      <ArchivedTasks project={id} />
    </Page>
  );
}

/** Tasks of the project beyond those that every tab knows, page by page. */
function OlderTasks({ project }: { project: Id }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const { nextTasks } = useOverview();
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const more = nextTasks !== null;
  const load = async (cursor: string | null) => {
    setError(null);
    try {
      const page = await listTasks({ project_id: project, limit: 100, cursor });
      runtime.overview.addOlder(page.tasks);
      setNext(page.next);
    } catch (refusal) {
      setError(refusal);
    }
  };
  useEffect(() => {
    // Where every task is known already there is nothing to ask for.
    if (more) void load(null);
    // oxlint-disable-next-line react/exhaustive-deps -- only when it becomes known that there are more
  }, [more, project]);
  return (
    <>
      {error !== null && <ErrorNote error={error} lead={t("inbox.loadFailed")} />}
      {next !== null && (
        <Button className="mt-2" onClick={() => void load(next)}>
          {t("project.older")}
        </Button>
      )}
    </>
  );
}

function Gone() {
  const { t } = useTranslation();
  return (
    <Page title={t("project.goneTitle")}>
      <p className="mt-1 mb-4 text-muted">{t("project.gone")}</p>
      <Link href="/" className={buttonClass("strong")}>
        {t("app.toInbox")}
      </Link>
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
