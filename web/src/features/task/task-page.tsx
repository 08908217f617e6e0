import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect, useLocation } from "wouter";
import { Problem } from "../../api/problem";
import type { Id, Task } from "../../api/types";
import { useChat, useOverview, useTaskStore, useTopic } from "../../app/context";
import { taskPath } from "../../app/routes";
import { useTitle } from "../../app/title";
import type { TaskStore } from "../../state/task-store";
import { Button, buttonClass } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { Page } from "../../ui/page";
import { oneLine, reveal } from "../../ui/text";
import { Composer } from "../composer/composer";
import { QueueChips } from "../composer/queue-chips";
import { TaskMenu } from "../manage/task-menu";
import { RequestStack } from "../request/request-stack";
import { Transcript, type TranscriptHandle } from "./transcript";
import { useAnnouncements } from "./use-announcements";
import { useMarkRead } from "./use-mark-read";
import { useTurnKeys } from "./use-turn-keys";

/** One task: its chat, its open questions and its composer. */
export function TaskPage({ id, project }: { id: Id; project: Id | null }) {
  const store = useTaskStore(id);
  if (!store) return null;
  return <OpenTask key={id} store={store} project={project} />;
}

function OpenTask({ store, project }: { store: TaskStore; project: Id | null }) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const { projects } = useOverview();
  const phase = useTopic(store, "phase", (each) => each.phase);
  const task = useChat(store, "task");
  const home = task?.project_id ? projects.get(task.project_id)?.name : undefined;
  useTitle([task && (reveal(oneLine(task.title ?? "")) || t("task.untitled")), home], task?.state);
  if (phase === "failed") return <Failed store={store} />;
  if (!task) return <Page title="">{<p className="appear-late text-muted">{t("app.loading")}</p>}</Page>;
  // A task keeps its address when it is asked for below another project, or below none.
  if (task.project_id !== project) return <Redirect to={taskPath(task) + window.location.hash} replace key={location} />;
  return <TaskFrame store={store} task={task} home={home} />;
}

function TaskFrame({ store, task, home }: { store: TaskStore; task: Task; home: string | undefined }) {
  const { t } = useTranslation();
  const transcript = useRef<TranscriptHandle>(null);
  const toEnd = useCallback(() => transcript.current?.toEnd(), []);
  const [refused, setRefused] = useState<unknown>(null);
  useMarkRead(task);
  useTurnKeys(store, setRefused);
  useAnnouncements(store);
  return (
    <div className="flex h-full min-w-0 flex-col">
      <header className="flex min-h-11 items-center gap-2 border-b border-line px-4">
        <h1 className="min-w-0 flex-1 truncate font-semibold">
          {reveal(oneLine(task.title ?? "")) || t("task.untitled")}
          {home && <span className="font-normal text-muted"> · {home}</span>}
        </h1>
        <TaskMenu task={task} />
      </header>
      {task.archived && <p className="border-b border-line bg-fill px-4 py-1 text-muted">{t("task.archived")}</p>}
      <Transcript ref={transcript} store={store} />
      {/* In a very low window questions, queue and composer scroll as one: none of them would have room for itself. */}
      <div className="mx-auto flex max-h-[70%] w-full max-w-[48rem] flex-col gap-2 px-4 pb-3 [@media(max-height:420px)]:has-[[data-request]]:max-h-[85%] [@media(max-height:420px)]:has-[[data-request]]:overflow-y-auto [@media(max-height:420px)]:has-[[data-request]]:*:shrink-0">
        {refused !== null && <ErrorNote error={refused} />}
        <RequestStack store={store} />
        <QueueChips store={store} />
        <Composer store={store} onSent={toEnd} />
      </div>
    </div>
  );
}

function Failed({ store }: { store: TaskStore }) {
  const { t } = useTranslation();
  const gone = store.error instanceof Problem && store.error.status === 404;
  const title = gone ? t("task.goneTitle") : t("task.failed");
  useTitle([title], gone ? "idle" : "error");
  return (
    <Page title={title}>
      {gone ? (
        <>
          <p className="mt-1 mb-4 text-muted">{t("task.gone")}</p>
          <Link href="/" className={buttonClass("strong")}>
            {t("app.toInbox")}
          </Link>
        </>
      ) : (
        <ErrorNote error={store.error}>
          <Button className="mt-2" onClick={() => store.retry()}>
            {t("app.retry")}
          </Button>
        </ErrorNote>
      )}
    </Page>
  );
}
