import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { editMessage } from "../../api/calls";
import { Unreachable } from "../../api/problem";
import type { MessageHead } from "../../api/types";
import { useAgents, useTopic } from "../../app/context";
import { handOnFocus } from "../../app/focus";
import { editing } from "../../state/editing";
import { isComposing, isSendKey } from "../../state/enter-key";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { AgentPicker, usualAgent } from "../agent/agent-picker";
import { textOfTurn } from "./text-of-turn";
import { useIsActive } from "./use-is-active";

/** The place of a person's message while it is reworded. What followed it is set aside once it is sent. */
export function EditTurn({ store, head, text }: { store: TaskStore; head: MessageHead; text: string }) {
  const { t } = useTranslation();
  const agents = useAgents();
  const active = useIsActive(store);
  const [chosen, setChosen] = useState<string | null>(null);
  const files = useTopic(store, `head:${head.id}`, ({ state }) =>
    (state?.entries.get(head.id)?.parts ?? []).flatMap((part) => ("name" in part ? [part.name] : [])).join(", "),
  );
  const after = useTopic(store, "heads", ({ state }) => [...(state?.entries.values() ?? [])].filter((each) => each.head.ordinal > head.ordinal && each.head.status !== "queued").length);
  const box = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const { send, busy, error } = useEdit(head, after, () => handOnFocus(form.current));
  useEffect(() => {
    const { current } = box;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const agent = usualAgent(agents, chosen, head.agent);
  const empty = text.trim() === "" && files === "";
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!empty && !active) send(text, chosen ?? undefined);
  };
  const leave = () => {
    document.getElementById(head.id)?.focus({ preventScroll: true });
    editing.set(null);
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    // Escape throws nothing away that was typed.
    if (event.key === "Escape" && text === textOfTurn(store, head)) leave();
    if (!isSendKey(event)) return;
    event.preventDefault();
    if (!event.repeat) submit();
  };
  return (
    <form ref={form} onSubmit={submit} className="rounded-md border border-accent bg-raised">
      <textarea
        ref={box}
        value={text}
        rows={Math.min(16, Math.max(2, text.split("\n").length))}
        aria-label={t("turn.editLabel", { ordinal: head.ordinal })}
        className="block w-full resize-y bg-transparent px-3 py-2 outline-none"
        onChange={(event) => editing.set({ message: head.id, text: event.target.value })}
        onKeyDown={press}
      />
      {files && <p className="px-3 pb-1 text-xs text-muted">{t("turn.keepsFiles", { files })}</p>}
      {error !== null && <ErrorNote error={error} />}
      <div className="flex flex-wrap items-center gap-1.5 p-1.5">
        <AgentPicker agent={agent} onChoose={setChosen} />
        <p className="min-w-0 flex-1 basis-48 text-xs text-muted">{active ? t("turn.whileActive") : t("turn.editHint", { count: after })}</p>
        <Button onClick={leave}>{t("app.cancel")}</Button>
        <Button type="submit" look="strong" disabled={empty || active || busy}>
          {t("turn.editSend")}
        </Button>
      </div>
    </form>
  );
}

function useEdit(head: MessageHead, after: number, onSent: () => void) {
  const pending = useRef<{ key: string; nonce: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = (text: string, agent: string | undefined) => {
    if (busy) return;
    // The same words again after a lost answer are the same edit.
    const key = JSON.stringify([text, agent, after]);
    if (pending.current?.key !== key) pending.current = { key, nonce: crypto.randomUUID() };
    setBusy(true);
    setError(null);
    editMessage(head.id, { nonce: pending.current.nonce, text, ...(agent && { agent }) })
      .then(() => {
        onSent();
        editing.set(null);
      })
      .catch((failure: unknown) => {
        if (!(failure instanceof Unreachable)) pending.current = null;
        setError(failure);
      })
      .finally(() => setBusy(false));
  };
  return { send, busy, error };
}
