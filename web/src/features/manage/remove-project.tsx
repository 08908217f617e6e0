import { useState } from "react";
import { useTranslation } from "react-i18next";
import { deleteProject } from "../../api/calls";
import type { Project } from "../../api/types";
import { useOverview, useRuntime } from "../../app/context";
import { Button } from "../../ui/button";
import { ChoiceList } from "../../ui/choice-list";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error-note";
import { isBusy, stopAndWait } from "./stop";

interface Props {
  project: Project;
  onRemoved(): void;
  onClose(): void;
}

/** Asks what becomes of a project's tasks before the project goes. */
export function RemoveProject({ project, onRemoved, onClose }: Props) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const overview = useOverview();
  const [tasks, setTasks] = useState<"keep" | "delete">("keep");
  const [error, setError] = useState<unknown>(null);
  const busy = [...overview.tasks.values()].filter((task) => task.project_id === project.id && isBusy(task)).map(({ id }) => id);
  const remove = async () => {
    setError(null);
    try {
      if (busy.length > 0) await stopAndWait(runtime.overview, busy);
      await deleteProject(project.id, tasks);
      onRemoved();
      onClose();
    } catch (refusal) {
      setError(refusal);
    }
  };
  return (
    <Dialog open title={t("project.removeTitle", { name: project.name })} onClose={onClose}>
      <p className="mb-3">{t("project.removeBody")}</p>
      <ChoiceList
        label={t("project.removeTasks")}
        value={tasks}
        choices={[
          { value: "keep", name: t("project.removeKeep") },
          { value: "delete", name: t("project.removeDelete") },
        ]}
        onChoose={(next) => setTasks(next === "delete" ? "delete" : "keep")}
      />
      {busy.length > 0 && <p className="mt-3">{t("project.removeBusy", { count: busy.length })}</p>}
      {error !== null && <ErrorNote error={error} />}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{t("app.cancel")}</Button>
        <Button look="danger" onClick={() => void remove()}>
          {tasks === "delete" ? t("project.removeConfirmAll") : t("project.removeConfirm")}
        </Button>
      </div>
    </Dialog>
  );
}
