import { Ellipsis } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { changeTask, deleteTask } from "../../api/calls";
import type { Task } from "../../api/types";
import { useRuntime } from "../../app/context";
import { dropDraft } from "../../state/drafts";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error-note";
import { TextField } from "../../ui/field";
import { Menu, MenuItem } from "../../ui/menu";

export function TaskMenu({ task }: { task: Task }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState<"rename" | "remove" | null>(null);
  const [error, setError] = useState<unknown>(null);
  const close = () => setAsking(null);
  const change = (what: Parameters<typeof changeTask>[1]) => {
    setError(null);
    changeTask(task.id, what).then((data) => runtime.overview.learn({ seq: 0, kind: "task.upsert", data }), setError);
  };
  const remove = async () => {
    await deleteTask(task.id);
    dropDraft(task.id);
    navigate(task.project_id ? `/p/${task.project_id}` : "/");
  };
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <Menu
        align="end"
        trigger={
          <IconButton label={t("rail.actions", { name: task.title ?? t("task.untitled") })}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsking("rename")}>{t("task.rename")}</MenuItem>
        <MenuItem onSelect={() => change({ pinned: !task.pinned })}>{task.pinned ? t("task.unpin") : t("task.pin")}</MenuItem>
        <MenuItem onSelect={() => change({ archived: !task.archived })}>
          {task.archived ? t("task.unarchive") : t("task.archive")}
        </MenuItem>
        <MenuItem onSelect={() => setAsking("remove")}>{t("task.remove")}</MenuItem>
      </Menu>
      {asking === "rename" && <RenameTask task={task} onClose={close} />}
      <Confirm
        open={asking === "remove"}
        title={t("task.removeTitle")}
        body={t("task.removeBody")}
        confirm={t("task.removeConfirm")}
        onConfirm={remove}
        onClose={close}
      />
    </>
  );
}

function RenameTask({ task, onClose }: { task: Task; onClose(): void }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const [title, setTitle] = useState(task.title ?? "");
  const [error, setError] = useState<unknown>(null);
  const save = (event: FormEvent) => {
    event.preventDefault();
    changeTask(task.id, { title }).then((data) => {
      runtime.overview.learn({ seq: 0, kind: "task.upsert", data });
      onClose();
    }, setError);
  };
  return (
    <Dialog open title={t("task.renameTitle")} onClose={onClose}>
      <form onSubmit={save} className="flex flex-col gap-3">
        <TextField label={t("task.title")} value={title} onChange={(event) => setTitle(event.target.value)} />
        {error !== null && <ErrorNote error={error} />}
        <Button type="submit" look="strong" className="self-end">
          {t("project.save")}
        </Button>
      </form>
    </Dialog>
  );
}
