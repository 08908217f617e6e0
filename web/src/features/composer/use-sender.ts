import { useRef, useState } from "react";
import { sendMessage } from "../../api/calls";
import { Problem, Unreachable } from "../../api/problem";
import type { Id, Sent } from "../../api/types";
import { type Draft, type DraftStore, mentionsIn, nonceFor } from "../../state/drafts";
import { saveLastAgent } from "../../state/preferences";

export interface Sender {
  sending: boolean;
  error: unknown;
  dismiss(): void;
  /**
   * Sends the draft to an agent. The task is asked for only then: a composer for new tasks makes it here. `starts`: the
   * agent has not been started there, so that it can be told which options to start with.
   */
  send(agent: string, task: () => Promise<Id>, starts: boolean): Promise<Sent | null>;
}

/**
 * Sends a draft exactly once. Until the daemon has acknowledged it, the text stays in the composer and the nonce with
 * it, so that sending the same again after a broken connection, or from another tab, cannot double it.
 */
export function useSender(store: DraftStore): Sender {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const busy = useRef(false);
  const send: Sender["send"] = async (agent, task, starts) => {
    // As it stands now: while the task is made, another tab may send this very draft, and leave an empty one here.
    const draft = store.get();
    const { text, attachments } = draft;
    if (busy.current || (text.trim() === "" && attachments.length === 0)) return null;
    busy.current = true;
    setSending(true);
    setError(null);
    try {
      const id = await task();
      const message = { agent, text, ...extras(draft, agent, starts) };
      const content = JSON.stringify([id, message]);
      const nonce = nonceFor(draft, content);
      store.change({ nonce, pending: { nonce, content } });
      const sent = await sendMessage(id, { nonce, ...message });
      saveLastAgent(agent);
      store.sent({ text, attachments, nonce });
      return sent;
    } catch (failure) {
      setError(failure);
      // What was refused has made nothing. Whether what was not answered has is not known.
      if (!(failure instanceof Unreachable)) store.change({ pending: null, nonce: crypto.randomUUID() });
      if (failure instanceof Problem && failure.status === 404) store.change({ task: null });
      return null;
    } finally {
      busy.current = false;
      setSending(false);
    }
  };
  return { sending, error, dismiss: () => setError(null), send };
}

/** What goes with the text, where there is any. */
function extras(draft: Draft, agent: string, starts: boolean) {
  const mentions = mentionsIn(draft);
  const options = starts ? draft.options[agent] : undefined;
  return {
    ...(draft.attachments.length > 0 && { attachments: draft.attachments.map((each) => each.id) }),
    ...(mentions.length > 0 && { mentions }),
    ...(options && { options }),
  };
}
