import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { createTask } from "../../api/calls";
import type { Id } from "../../api/types";
import { useAgents, useRuntime } from "../../app/context";
import { taskPath } from "../../app/routes";
import { type DraftKey, draftOf } from "../../state/drafts";
import { readLastAgent } from "../../state/preferences";
import { AgentPicker, AgentTrouble, usualAgent } from "../agent/agent-picker";
import { UnaskedNote } from "../agent/option-list";
import { useAgentOptions } from "../agent/use-agent-options";
import { readCommands } from "./completion";
import { focusComposerOf } from "./first-focus";
import { ComposerFrame } from "./frame";
import { PickerFold } from "./picker-fold";
import { StartOptions } from "./start-options";
import { useUploads } from "./uploads";
import { useDraftMember } from "./use-draft";
import { useSender } from "./use-sender";

/** The draft of the composer for new tasks of a project. */
export const newTaskDraft = (project: Id | null): DraftKey => `new:${project ?? "none"}`;

interface Props {
  project: Id | null;
  /** Where the task will be, where that can be chosen. */
  place?: ReactNode;
  autoFocus?: boolean;
}

/** Makes a task of its first message. A task that was made before its message failed is used again. */
export function NewTaskComposer({ project, place, autoFocus = true }: Props) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const agents = useAgents();
  const [, navigate] = useLocation();
  const draft = draftOf(newTaskDraft(project));
  const uploads = useUploads(draft);
  const sender = useSender(draft);
  const agent = usualAgent(agents, useDraftMember(draft, "agent"), readLastAgent());
  const chosen = useDraftMember(draft, "options")[agent?.id ?? ""];
  const { options, commands } = useAgentOptions(agent, { project, link: undefined, chosen });
  const known = useMemo(() => readCommands(commands), [commands]);
  const submit = async () => {
    if (!agent || uploads.uploading.length > 0) return;
    let task: Id | null = null;
    const sent = await sender.send(
      agent.id,
      async () => {
        task = draft.get().task;
        // One that was found and written to in the meantime is no new task, unless this very message may be in it.
        const isNew = task !== null && runtime.overview.get().tasks.get(task)?.last_message_at == null;
        if (task && (isNew || draft.get().pending)) return task;
        // Two tabs that send the same draft at once get the same task.
        const made = await createTask(project, draft.get().nonce ?? undefined);
        runtime.overview.learn({ seq: 0, kind: "task.upsert", data: made });
        draft.change({ task: made.id });
        return (task = made.id);
      },
      true,
    );
    if (!sent || !task) return;
    focusComposerOf(task);
    navigate(taskPath({ id: task, project_id: project }));
  };
  return (
    <ComposerFrame
      draft={draft}
      uploads={uploads}
      sender={sender}
      agent={agent}
      project={project}
      commands={known}
      action={t("composer.send")}
      menu="below"
      pickers={
        <>
          {place}
          <PickerFold agent={agent?.name ?? null}>
            <AgentPicker agent={agent} onChoose={(id) => draft.change({ agent: id })} />
            {agent && <StartOptions agent={agent} options={options} draft={draft} />}
          </PickerFold>
        </>
      }
      notes={
        <>
          <AgentTrouble agent={agent} />
          {agent && <UnaskedNote agent={agent} options={options} />}
        </>
      }
      onSubmit={() => void submit()}
      autoFocus={autoFocus}
    />
  );
}
