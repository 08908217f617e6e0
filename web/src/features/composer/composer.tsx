import { Square } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cancelRun } from "../../api/calls";
import type { Id } from "../../api/types";
import { useChat, useAgents, useTopic } from "../../app/context";
import type { ChatState } from "../../state/apply";
import { readLastAgent } from "../../state/preferences";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { AgentPicker, usualAgent } from "../agent/agent-picker";
import { OptionPickers } from "../agent/option-pickers";
import { HandoffPreview } from "../handoff/handoff-preview";
import { useUploads } from "./attachments";
import { ComposerFrame } from "./frame";
import { useDraft } from "./use-draft";
import { useSender } from "./use-sender";

/** The composer of an open task: to which agent, with which options, and a way to stop what runs. */
export function Composer({ store, onSent }: { store: TaskStore; onSent(): void }) {
  const { t } = useTranslation();
  const agents = useAgents();
  const handle = useDraft(`task:${store.task}`);
  const uploads = useUploads(handle);
  const sender = useSender(handle);
  const last = useTopic(store, "heads", ({ state }) => lastAgent(state));
  const task = useChat(store, "task");
  const agent = usualAgent(agents, handle.draft.agent, last, readLastAgent());
  const busy = task?.state === "running" || task?.state === "waiting" || task?.state === "queued";
  const submit = async () => {
    if (!agent || uploads.uploading.length > 0) return;
    const sent = await sender.send(agent.id, async () => store.task);
    if (sent) onSent();
  };
  return (
    <>
      {agent && <HandoffPreview key={agent.id} store={store} agent={agent} />}
      <ComposerFrame
        handle={handle}
        uploads={uploads}
        sender={sender}
        agent={agent}
        action={busy ? t("composer.queue") : t("composer.send")}
        pickers={
          <>
            <AgentPicker agent={agent} onChoose={(id) => handle.change({ agent: id })} />
            {agent && <OptionPickers key={agent.id} store={store} agent={agent} />}
          </>
        }
        stop={<StopButton store={store} />}
        onSubmit={() => void submit()}
      />
    </>
  );
}

/** Stops the run that writes now. There is none to stop when the last message is settled. */
function StopButton({ store }: { store: TaskStore }) {
  const { t } = useTranslation();
  const run = useActiveRun(store);
  const [stopping, setStopping] = useState<Id | null>(null);
  const [error, setError] = useState<unknown>(null);
  if (!run) return null;
  const stop = () => {
    setStopping(run);
    setError(null);
    cancelRun(run).catch((failure: unknown) => {
      setStopping(null);
      setError(failure);
    });
  };
  return (
    <>
      {error !== null && <ErrorNote error={error} lead={t("composer.stopFailed")} />}
      <Button disabled={stopping === run} onClick={stop}>
        <Square size={14} aria-hidden />
        {stopping === run ? t("composer.stopping") : t("composer.stop")}
      </Button>
    </>
  );
}

/** The id of the run that is filling a message of this task, if any. */
export function useActiveRun(store: TaskStore): Id | null {
  return useTopic(store, "heads", ({ state }) => activeRun(state));
}

function activeRun(state: ChatState | null): Id | null {
  for (const id of state?.order.toReversed() ?? []) {
    const head = state?.entries.get(id)?.head;
    if (head?.role === "assistant" && head.status === "streaming" && head.run_id) return head.run_id;
  }
  return null;
}

function lastAgent(state: ChatState | null): string | null {
  for (const id of state?.order.toReversed() ?? []) {
    const head = state?.entries.get(id)?.head;
    if (head?.agent) return head.agent;
  }
  return null;
}
