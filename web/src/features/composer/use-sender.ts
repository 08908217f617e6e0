import { useRef, useState } from "react";
import { sendMessage } from "../../api/calls";
import { Unreachable } from "../../api/problem";
import type { Id, Sent } from "../../api/types";
import { EMPTY_DRAFT, nonceFor } from "../../state/drafts";
import { saveLastAgent } from "../../state/preferences";
import type { DraftHandle } from "./use-draft";

export interface Sender {
  sending: boolean;
  error: unknown;
  /** Sends the draft to an agent. The task is asked for only then: a composer for new tasks makes it here. */
  send(agent: string, task: () => Promise<Id>): Promise<Sent | null>;
}

/**
 * Sends a draft exactly once. Until the daemon has acknowledged it, the text stays in the composer and the nonce with
 * it, so that sending the same again after a broken connection cannot double it.
 */
export function useSender({ change, current }: DraftHandle): Sender {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const busy = useRef(false);
  const send: Sender["send"] = async (agent, task) => {
    const { text, attachments } = current();
    if (busy.current || (text.trim() === "" && attachments.length === 0)) return null;
    busy.current = true;
    setSending(true);
    setError(null);
    try {
      const id = await task();
      const message = { agent, text, ...(attachments.length > 0 && { attachments: attachments.map((each) => each.id) }) };
      const content = JSON.stringify([id, message]);
      const body = { nonce: nonceFor(current(), content), ...message };
      change({ pending: { nonce: body.nonce, content } });
      const sent = await sendMessage(id, body);
      saveLastAgent(agent);
      // What was typed while the answer was on its way is the next message.
      const unchanged = current().text === text;
      change({ ...EMPTY_DRAFT, text: unchanged ? "" : current().text });
      return sent;
    } catch (failure) {
      setError(failure);
      if (!(failure instanceof Unreachable)) change({ pending: null });
      return null;
    } finally {
      busy.current = false;
      setSending(false);
    }
  };
  return { sending, error, send };
}
