import { Ellipsis } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { changeTask, deleteTask } from "../../api/calls";
import type { Task } from "../../api/types";
import { useRuntime } from "../../app/context";
import { projectPath } from "../../app/routes";
import { dropDraft } from "../../state/drafts";
import { IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error-note";
import { Menu, MenuItem } from "../../ui/menu";
import { oneLine, reveal } from "../../ui/text";
import { RenameDialog } from "./rename-dialog";
import { isBusy, stopAndWait } from "./stop";

export type TaskChange = Parameters<typeof changeTask>[1];

/** Changes a task and shows the change before the feed tells of it. */
export function useChangeTask(): (task: Task, change: TaskChange) => Promise<void> {
  const runtime = useRuntime();
  return async (task, change) => {
    runtime.overview.learn({ seq: 0, kind: "task.upsert", data: await changeTask(task.id, change) });
  };
}

/** Everything that can be done with a task as a whole. */
export function TaskMenu({ task, trigger }: { task: Task; trigger?: ReactElement }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const changeTaskNow = useChangeTask();
  const [path, navigate] = useLocation();
  const [asking, setAsking] = useState<"rename" | "remove" | null>(null);
  const [error, setError] = useState<unknown>(null);
  const close = () => setAsking(null);
  const change = (what: TaskChange) => void changeTaskNow(task, what).catch(setError);
  const title = reveal(oneLine(task.title ?? "")) || t("task.untitled");
  const busy = isBusy(task);
  const remove = async () => {
    if (busy) await stopAndWait(runtime.overview, [task.id]);
    await deleteTask(task.id);
    dropDraft(task.id);
    if (path.endsWith(`/t/${task.id}`)) navigate(task.project_id ? projectPath(task.project_id) : "/");
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          trigger ?? (
            <IconButton label={t("rail.actions", { name: title })}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          )
        }
      >
        <MenuItem onSelect={() => setAsking("rename")}>{t("task.rename")}</MenuItem>
        <MenuItem onSelect={() => change({ pinned: !task.pinned })}>{task.pinned ? t("task.unpin") : t("task.pin")}</MenuItem>
        <MenuItem onSelect={() => change({ read: task.unread })}>{task.unread ? t("task.markRead") : t("task.markUnread")}</MenuItem>
        <MenuItem onSelect={() => change({ archived: !task.archived })}>
          {task.archived ? t("task.unarchive") : t("task.archive")}
        </MenuItem>
        <MenuItem danger onSelect={() => setAsking("remove")}>
          {t("task.remove")}
        </MenuItem>
      </Menu>
      {asking === "rename" && (
        <RenameDialog
          title={t("task.renameTitle")}
          label={t("task.title")}
          value={task.title ?? ""}
          onSave={(next) => changeTaskNow(task, { title: next })}
          onClose={close}
        />
      )}
      <Confirm
        open={asking === "remove"}
        title={t("task.removeTitle", { title })}
        body={busy ? t("task.removeBusy") : t("task.removeBody")}
        confirm={busy ? t("task.removeStop") : t("task.removeConfirm")}
        onConfirm={remove}
        onClose={close}
      />
      {error !== null && (
        <Dialog open title={t("manage.failed")} onClose={() => setError(null)}>
          <ErrorNote error={error} />
        </Dialog>
      )}
    </>
  );
}
