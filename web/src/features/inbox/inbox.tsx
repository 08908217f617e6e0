import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Task } from "../../api/types";
import { useOverview, useOverviewError, useRuntime } from "../../app/context";
import { useTitle } from "../../app/title";
import { FirstRun } from "../../app/views";
import { needsYou, tasksByActivity, tasksByUrgency, type Urgency } from "../../state/overview";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { Page } from "../../ui/page";
import { Bones } from "../../ui/bones";
import { ArchivedTasks } from "../manage/archived-tasks";
import { TaskList } from "../manage/task-list";
import { OfferedDirectory } from "./offered-directory";
import { WriteHere } from "./write-here";

const SECTIONS: readonly Urgency[] = ["asking", "failed", "finished"];

/** What needs you, then what happened last. On a fresh installation, the way in. */
export function Inbox() {
  const { t } = useTranslation();
  const overview = useOverview();
  const error = useOverviewError();
  const tasks = tasksByActivity(overview.tasks.values());
  const urgent = tasks.filter(needsYou).length;
  useTitle([urgent > 0 ? `(${urgent})` : null, t("inbox.title")], urgent > 0 ? "waiting" : "idle");
  if (!overview.loaded) {
    return <Page title={t("inbox.title")}>{error === null ? <Bones lines={6} /> : <NotLoaded error={error} />}</Page>;
  }
  if (overview.projects.size === 0 && overview.tasks.size === 0) return <FirstRun />;
  return (
    <Page title={t("inbox.title")}>
      <OfferedDirectory />
      <WriteHere />
      <Urgent tasks={tasks} />
      <Recent tasks={tasks.filter((task) => !needsYou(task))} />
      <ArchivedTasks />
    </Page>
  );
}

/** Open questions, failures and answers that nobody has read, each under its name. */
function Urgent({ tasks }: { tasks: readonly Task[] }) {
  const { t } = useTranslation();
  const groups = tasksByUrgency(tasks);
  if (SECTIONS.every((each) => groups[each].length === 0)) {
    return (
      <p className="mt-4 flex items-center gap-2 rounded-md border border-line px-3 py-2 text-muted">
        <CircleCheck size={16} className="shrink-0 text-ok" aria-hidden />
        {t("inbox.nothing")}
      </p>
    );
  }
  return SECTIONS.filter((each) => groups[each].length > 0).map((each) => (
    <section key={each} aria-labelledby={`inbox-${each}`}>
      <h2 id={`inbox-${each}`} className="mt-5 mb-1 flex items-baseline gap-2 font-semibold">
        {t(`inbox.${each}`)}
        <span className="text-xs font-normal text-muted">{groups[each].length}</span>
      </h2>
      <TaskList tasks={groups[each]} />
    </section>
  ));
}

function Recent({ tasks }: { tasks: readonly Task[] }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const { nextTasks, tasks: all } = useOverview();
  if (all.size === 0) return <p className="mt-4 px-2 text-muted">{t("inbox.noTasks")}</p>;
  if (tasks.length === 0 && nextTasks === null) return null;
  return (
    <section aria-labelledby="inbox-recent">
      <h2 id="inbox-recent" className="mt-6 mb-1 font-semibold">
        {t("inbox.recent")}
      </h2>
      <TaskList tasks={tasks} />
      {nextTasks !== null && (
        <Button className="mt-2" onClick={() => void runtime.overview.loadMoreTasks()}>
          {t("project.older")}
        </Button>
      )}
    </section>
  );
}

function NotLoaded({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  return (
    <ErrorNote error={error} lead={t("inbox.loadFailed")}>
      <Button className="mt-2" onClick={() => void runtime.overview.load()}>
        {t("app.retry")}
      </Button>
    </ErrorNote>
  );
}
