import { Compass } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { createTask, sendMessage } from "../../api/calls";
import type { Id } from "../../api/types";
import { useAgents, useRuntime } from "../../app/context";
import { taskPath } from "../../app/routes";
import { onlyTour, TOUR } from "../../state/tour";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { focusComposerOf } from "../composer/first-focus";

/** Where no other agent is ready: what answers here, and the walk at a click. */
export function TakeTheTour({ project, className = "" }: { project: Id | null; className?: string }) {
  const { t } = useTranslation();
  const only = onlyTour(useAgents());
  const { begin, beginning, error } = useBegin(project);
  if (!only) return null;
  return (
    <section aria-label={t("tour.label")} className={`rounded-md border border-line bg-raised p-4 ${className}`}>
      <p>{t("tour.lead")}</p>
      <Button look="strong" className="mt-3" disabled={beginning} onClick={() => void begin()}>
        <Compass size={16} aria-hidden />
        {t("tour.take")}
      </Button>
      {error !== null && <ErrorNote error={error} lead={t("tour.failed")} />}
    </section>
  );
}

/** Makes a task and asks Tour in it, once however often it is clicked and however the connection breaks. */
function useBegin(project: Id | null) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const [, navigate] = useLocation();
  const [beginning, setBeginning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const made = useRef<{ task: Id; nonce: string } | null>(null);
  const begin = async () => {
    setBeginning(true);
    setError(null);
    try {
      if (!made.current) {
        const task = await createTask(project);
        runtime.overview.learn({ seq: 0, kind: "task.upsert", data: task });
        made.current = { task: task.id, nonce: crypto.randomUUID() };
      }
      const { task, nonce } = made.current;
      await sendMessage(task, { nonce, agent: TOUR, text: t("tour.prompt") });
      focusComposerOf(task);
      navigate(taskPath({ id: task, project_id: project }));
    } catch (failure) {
      setError(failure);
      setBeginning(false);
    }
  };
  return { begin, beginning, error };
}
