import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAgents, useChat, useTopic } from "../../app/context";
import type { ChatState } from "../../state/apply";
import { draftOf } from "../../state/drafts";
import { readLastAgent } from "../../state/preferences";
import type { TaskStore } from "../../state/task-store";
import { AgentPicker, AgentTrouble, usualAgent } from "../agent/agent-picker";
import { AgentStarter, LinkTrouble, OptionPickers, SkippedNotes } from "../agent/option-pickers";
import { UnaskedNote } from "../agent/option-list";
import { useAgentOptions } from "../agent/use-agent-options";
import { HandoffPreview } from "../handoff/handoff-preview";
import { readCommands } from "./completion";
import { hasFocus, wantsFocus } from "./first-focus";
import { ComposerFrame } from "./frame";
import { PickerFold } from "./picker-fold";
import { StartOptions } from "./start-options";
import { StopButton } from "./stop-button";
import { useUploads } from "./uploads";
import { useDraftMember } from "./use-draft";
import { sentTexts, useRecall } from "./use-recall";
import { useSender } from "./use-sender";

/** The composer of an open task: to which agent, with which options, and a way to stop what runs. */
export function Composer({ store, onSent }: { store: TaskStore; onSent(): void }) {
  const { t } = useTranslation();
  const agents = useAgents();
  const draft = draftOf(`task:${store.task}`);
  const uploads = useUploads(draft);
  const sender = useSender(draft);
  const recall = useRecall(() => sentTexts(store.state));
  const last = useTopic(store, "heads", ({ state }) => lastAgent(state));
  const task = useChat(store, "task");
  const agent = usualAgent(agents, useDraftMember(draft, "agent"), last, readLastAgent());
  const link = useChat(store, "links")?.get(agent?.id ?? "");
  const chosen = useDraftMember(draft, "options")[agent?.id ?? ""];
  const project = task?.project_id ?? null;
  const { started, options, commands } = useAgentOptions(agent, { project, link, chosen });
  const known = useMemo(() => readCommands(commands), [commands]);
  const busy = task?.state === "running" || task?.state === "waiting" || task?.state === "queued";
  const autoFocus = useFirstFocus(store);
  const submitting = useRef(false);
  const submit = async () => {
    if (!agent || uploads.uploading.length > 0 || submitting.current) return;
    submitting.current = true;
    const sent = await sender.send(agent.id, async () => store.task, !started);
    submitting.current = false;
    if (sent) onSent();
  };
  return (
    <>
      {agent && <HandoffPreview key={agent.id} store={store} agent={agent} />}
      <ComposerFrame
        draft={draft}
        uploads={uploads}
        sender={sender}
        agent={agent}
        project={project}
        commands={known}
        action={busy ? t("composer.queue") : t("composer.send")}
        pickers={
          <PickerFold agent={agent?.name ?? null}>
            <AgentPicker agent={agent} onChoose={(id) => draft.change({ agent: id })} />
            {agent && started && <OptionPickers key={agent.id} store={store} agent={agent} options={options} />}
            {agent && !started && options.length > 0 && <StartOptions agent={agent} options={options} draft={draft} />}
            {agent && !started && options.length === 0 && <AgentStarter key={agent.id} store={store} agent={agent} />}
          </PickerFold>
        }
        notes={
          <>
            <AgentTrouble agent={agent} />
            <LinkTrouble link={link} />
            {agent && <UnaskedNote agent={agent} options={options} />}
            <SkippedNotes link={link} options={options} />
        </>
      }
      stop={<StopButton store={store} />}
      onSubmit={() => void submit()}
      onKey={(event) => recall.press(event, draft.get().text, (text) => draft.change({ text }))}
      autoFocus={autoFocus}
    />
    </>
  );
}

/** After the first message of a new task the next keys go on into the composer, not into what the agent asks. */
function useFirstFocus(store: TaskStore): boolean {
  const [wanted] = useState(() => wantsFocus(store.task));
  useEffect(hasFocus, []);
  return wanted;
}

function lastAgent(state: ChatState | null): string | null {
  for (const id of state?.order.toReversed() ?? []) {
    const head = state?.entries.get(id)?.head;
    if (head?.agent) return head.agent;
  }
  return null;
}
