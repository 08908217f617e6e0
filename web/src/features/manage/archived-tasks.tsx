import { useState } from "react";
import { useTranslation } from "react-i18next";
import { listTasks } from "../../api/calls";
import type { Id, Task } from "../../api/types";
import { useOverview, useRuntime } from "../../app/context";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { TaskList } from "./task-list";

/** Tasks that were put away, asked for when somebody looks for them. */
export function ArchivedTasks({ project }: { project?: Id }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const overview = useOverview();
  const [found, setFound] = useState<Task[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const show = (cursor: string | null) => {
    setError(null);
    listTasks({ archived: true, limit: 100, cursor, ...(project && { project_id: project }) }).then((page) => {
      runtime.overview.addOlder(page.tasks);
      setFound((before) => [...(before ?? []), ...page.tasks]);
      setNext(page.next);
    }, setError);
  };
  const note = error !== null && <ErrorNote error={error} lead={t("inbox.loadFailed")} />;
  if (found === null) {
    return (
      <div className="mt-6">
        <Button look="quiet" onClick={() => show(null)}>
          {t("inbox.showArchived")}
        </Button>
        {note}
      </div>
    );
  }
  // What was taken out or deleted in the meantime has left; the lists know.
  const tasks = found.flatMap(({ id }) => overview.tasks.get(id) ?? []).filter(({ archived }) => archived);
  return (
    <>
      <h2 className="mt-6 mb-1 font-semibold">{t("inbox.archived")}</h2>
      {tasks.length > 0 ? <TaskList tasks={tasks} /> : <p className="px-2 text-muted">{t("inbox.noneArchived")}</p>}
      {note}
      {next !== null && (
        <Button className="mt-2" onClick={() => show(next)}>
          {t("project.older")}
        </Button>
      )}
    </>
  );
}
