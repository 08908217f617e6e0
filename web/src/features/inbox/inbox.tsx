import { useState } from "react";
import { useTranslation } from "react-i18next";
import { listTasks } from "../../api/calls";
import type { Task } from "../../api/types";
import { useOverview, useOverviewError, useRuntime } from "../../app/context";
import { taskPath } from "../../app/routes";
import { useTitle } from "../../app/title";
import { FirstRun } from "../../app/views";
import { activityOf, needsYou, tasksByActivity } from "../../state/overview";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { Page } from "../../ui/page";
import { TaskRow } from "../../ui/task-row";
import { OfferedDirectory } from "./offered-directory";

/** What needs you, then what happened last. On a fresh installation, the way in. */
export function Inbox() {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const overview = useOverview();
  const error = useOverviewError();
  const tasks = tasksByActivity(overview.tasks.values());
  const urgent = tasks.filter(needsYou);
  useTitle([urgent.length > 0 ? `(${urgent.length})` : null, t("inbox.title")], urgent.length > 0 ? "waiting" : "idle");
  if (!overview.loaded) {
    return (
      <Page title={t("inbox.title")}>
        {error === null ? (
          <p className="appear-late text-muted">{t("app.loading")}</p>
        ) : (
          <ErrorNote error={error} lead={t("inbox.loadFailed")}>
            <Button className="mt-2" onClick={() => void runtime.overview.load()}>
              {t("app.retry")}
            </Button>
          </ErrorNote>
        )}
      </Page>
    );
  }
  if (overview.projects.size === 0 && overview.tasks.size === 0) return <FirstRun />;
  return (
    <Page title={t("inbox.title")}>
      <OfferedDirectory />
      <h2 className="mt-4 mb-1 font-semibold">{t("inbox.needsYou")}</h2>
      {urgent.length > 0 ? <TaskList tasks={urgent} /> : <p className="px-2 text-muted">{t("inbox.nothing")}</p>}
      <h2 className="mt-6 mb-1 font-semibold">{t("inbox.recent")}</h2>
      <TaskList tasks={tasks.filter((task) => !needsYou(task))} />
      {overview.nextTasks !== null && (
        <Button className="mt-2" onClick={() => void runtime.overview.loadMoreTasks()}>
          {t("project.older")}
        </Button>
      )}
      <Archived />
    </Page>
  );
}

/** Tasks that were put away, asked for when somebody looks for them. */
function Archived() {
  const { t } = useTranslation();
  const overview = useOverview();
  const [found, setFound] = useState<Task[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const show = () => {
    setError(null);
    listTasks({ archived: true, limit: 200 }).then(({ tasks }) => setFound(tasks), setError);
  };
  if (found === null) {
    return (
      <div className="mt-6">
        <Button look="quiet" onClick={show}>
          {t("inbox.showArchived")}
        </Button>
        {error !== null && <ErrorNote error={error} lead={t("inbox.loadFailed")} />}
      </div>
    );
  }
  // One that was taken out again in the meantime is in the lists above.
  const tasks = found.filter(({ id }) => overview.tasks.get(id)?.archived !== false);
  return (
    <>
      <h2 className="mt-6 mb-1 font-semibold">{t("inbox.archived")}</h2>
      {tasks.length > 0 ? <TaskList tasks={tasks} /> : <p className="px-2 text-muted">{t("inbox.noneArchived")}</p>}
    </>
  );
}

function TaskList({ tasks }: { tasks: Task[] }) {
  const { projects } = useOverview();
  return (
    <ul>
      {tasks.map((task) => (
        <li key={task.id}>
          <TaskRow
            task={task}
            to={taskPath(task)}
            at={activityOf(task)}
            place={task.project_id ? projects.get(task.project_id)?.name : undefined}
          />
        </li>
      ))}
    </ul>
  );
}
