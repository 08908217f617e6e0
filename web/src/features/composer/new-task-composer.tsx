import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { createTask } from "../../api/calls";
import type { Id } from "../../api/types";
import { useAgents, useRuntime } from "../../app/context";
import { taskPath } from "../../app/routes";
import { readLastAgent } from "../../state/preferences";
import { AgentPicker, usualAgent } from "../agent/agent-picker";
import { useUploads } from "./attachments";
import { ComposerFrame } from "./frame";
import { useDraft } from "./use-draft";
import { useSender } from "./use-sender";

/** Makes a task of its first message. A task that was made before its message failed is used again. */
export function NewTaskComposer({ project }: { project: Id | null }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const agents = useAgents();
  const [, navigate] = useLocation();
  const handle = useDraft(`new:${project ?? "none"}`);
  const uploads = useUploads(handle);
  const sender = useSender(handle);
  const agent = usualAgent(agents, handle.draft.agent, readLastAgent());
  const submit = async () => {
    if (!agent || uploads.uploading.length > 0) return;
    let task: Id | null = null;
    const sent = await sender.send(agent.id, async () => {
      task = handle.current().task;
      if (task) return task;
      const made = await createTask(project);
      runtime.overview.learn({ seq: 0, kind: "task.upsert", data: made });
      handle.change({ task: made.id });
      return (task = made.id);
    });
    if (sent && task) navigate(taskPath({ id: task, project_id: project }));
  };
  return (
    <ComposerFrame
      handle={handle}
      uploads={uploads}
      sender={sender}
      agent={agent}
      action={t("composer.send")}
      pickers={<AgentPicker agent={agent} onChoose={(id) => handle.change({ agent: id })} />}
      onSubmit={() => void submit()}
      autoFocus
    />
  );
}
