import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, GripVertical, Pencil, SendHorizontal, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { dropRun, getRun, patchRun, sendRunNow } from "../../api/calls";
import { Problem } from "../../api/problem";
import type { Id, Run } from "../../api/types";
import { useAgents, useChat } from "../../app/context";
import { isComposing, isSendKey } from "../../state/enter-key";
import type { Queued } from "../../state/queue";
import type { TaskStore } from "../../state/task-store";
import { Button, IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { oneLine } from "../../ui/text";

interface Props {
  store: TaskStore;
  queued: Queued;
  place: number;
  count: number;
  /** The whole queue is held, which is said above it. */
  held: boolean;
  onMove(to: number): void;
  onDrag(run: Id | null): void;
  /** Takes the chip that is dragged over this one; null while none is. */
  onDropHere: (() => void) | null;
}

const SHOWN = 300;

/** A message that waits: who will get it, what it says, why it waits, and what can be done with it. */
export function QueueChip(props: Props) {
  const { store, queued, onDrag, onDropHere } = props;
  const [editing, setEditing] = useState(false);
  const [over, setOver] = useState(false);
  const { act, busy, error, dismiss } = useAct();
  const told = useChat(store, "runs")?.get(queued.run);
  const { data: asked } = useQuery({ queryKey: ["run", queued.run], queryFn: () => getRun(queued.run), enabled: !told });
  const reason = useReason(props, (told ?? asked)?.waiting_for ?? null);
  const chip = useRef<HTMLLIElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The editor that goes takes the focus with it.
    if (wasEditing.current && !editing) chip.current?.querySelector<HTMLElement>("[data-act=edit]")?.focus();
    wasEditing.current = editing;
  }, [editing]);
  const save = async (text: string) => {
    if (await act(patchRun(queued.run, { text }))) setEditing(false);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dragging adds to the buttons that move it
    <li
      ref={chip}
      data-run={queued.run}
      draggable={!editing}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", queued.text);
        onDrag(queued.run);
      }}
      onDragEnd={() => onDrag(null)}
      onDragOver={(event) => {
        if (!onDropHere) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!onDropHere) return;
        event.preventDefault();
        setOver(false);
        onDropHere();
      }}
      className={`rounded-md border bg-fill ${over && onDropHere ? "border-accent" : "border-line"}`}
    >
      {editing ? (
        <ChipEditor text={queued.text} busy={busy} onSave={(text) => void save(text)} onCancel={() => setEditing(false)} />
      ) : (
        <ChipLine {...props} busy={busy} act={(call) => void act(call)} onEdit={() => setEditing(true)} />
      )}
      {reason !== null && <p className="px-2.5 pb-1 text-xs text-muted">{reason}</p>}
      {error !== null && <ActError error={error} onDismiss={dismiss} />}
    </li>
  );
}

/** Why it waits, in words, where that is not said already: above the chips, or by the one before it. */
function useReason({ store, queued, place, held }: Props, reason: Run["waiting_for"]): string | null {
  const { t } = useTranslation();
  const agents = useAgents();
  const behind = useChat(store, "task")?.state === "background";
  if (reason === null || (held && reason === "held") || (reason === "task" && place > 0)) return null;
  if (reason !== "task" || !behind) return t(`message.queuedBy.${reason}`);
  return t("queue.background", { agent: agents.get(queued.agent)?.name ?? queued.agent });
}

interface LineProps extends Props {
  busy: boolean;
  act(call: Promise<unknown>): void;
  onEdit(): void;
}

function ChipLine({ queued, place, count, busy, act, onMove, onEdit }: LineProps) {
  const { t } = useTranslation();
  const agents = useAgents();
  const text = oneLine(queued.text).slice(0, SHOWN);
  const short = { text: text.slice(0, 80) };
  return (
    <div className="flex flex-wrap items-center justify-end ps-1">
      <span className="flex min-w-0 flex-1 basis-full items-center pt-1 sm:basis-0 sm:pt-0">
        <GripVertical size={14} className="shrink-0 cursor-grab text-muted pointer-coarse:hidden" aria-hidden />
        <span className="ms-1 max-w-[30%] shrink-0 truncate text-xs text-muted">{agents.get(queued.agent)?.name ?? queued.agent}</span>
        <span className="ms-2 min-w-0 flex-1 truncate" title={text}>
          {text}
          {queued.files > 0 && <span className="ms-1 text-xs text-muted">{t("queue.files", { count: queued.files })}</span>}
        </span>
      </span>
      <IconButton data-act="now" label={t("queue.sendNow", short)} disabled={busy} onClick={() => act(sendRunNow(queued.run))}>
        <SendHorizontal size={14} aria-hidden />
      </IconButton>
      <IconButton data-act="edit" label={t("queue.edit", short)} disabled={busy} onClick={onEdit}>
        <Pencil size={14} aria-hidden />
      </IconButton>
      {count > 1 && (
        // At its end a button stays where it is, so that the focus does: a key that is pressed once more must do nothing.
        <>
          <IconButton data-act="up" label={t("queue.up", short)} disabled={busy} aria-disabled={place === 0} onClick={() => onMove(place - 1)}>
            <ArrowUp size={14} aria-hidden />
          </IconButton>
          <IconButton data-act="down" label={t("queue.down", short)} disabled={busy} aria-disabled={place === count - 1} onClick={() => onMove(place + 1)}>
            <ArrowDown size={14} aria-hidden />
          </IconButton>
        </>
      )}
      <IconButton data-act="drop" label={t("message.dropLabel", short)} disabled={busy} onClick={() => act(dropRun(queued.run))}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

interface EditorProps {
  text: string;
  busy: boolean;
  onSave(text: string): void;
  onCancel(): void;
}

/** Changes the words in their place. Keys as in the composer; Escape leaves them as they are on the daemon. */
function ChipEditor({ text, busy, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState(text);
  const whole = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    whole.current?.scrollIntoView({ block: "nearest" });
    box.current?.focus();
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length);
  }, []);
  const save = () => (words.trim() === "" ? undefined : onSave(words));
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") onCancel();
    else if (!isSendKey(event)) return;
    else if (!event.repeat) save();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={whole} className="flex flex-col gap-1 p-1.5">
      <textarea
        ref={box}
        rows={2}
        value={words}
        aria-label={t("queue.words")}
        style={{ fieldSizing: "content" }}
        className="max-h-[15vh] min-h-12 w-full resize-none rounded-md border border-line-strong bg-bg px-2 py-1"
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={press}
      />
      <span className="flex justify-end gap-1.5">
        <Button onClick={onCancel}>{t("app.cancel")}</Button>
        <Button look="strong" disabled={busy || words.trim() === ""} onClick={save}>
          {t("queue.save")}
        </Button>
      </span>
    </div>
  );
}

function useAct() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = async (call: Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError(null);
    try {
      // What it leads to comes with the feed, as to all other tabs.
      await call;
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { act, busy, error, dismiss: () => setError(null) };
}

function ActError({ error, onDismiss }: { error: unknown; onDismiss(): void }) {
  const { t } = useTranslation();
  const started = error instanceof Problem && (error.status === 409 || error.status === 404);
  return (
    <div className="px-1.5">
      <ErrorNote error={started ? new Error(t("queue.started")) : error} onDismiss={onDismiss} />
    </div>
  );
}
