import { ArrowUp } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useImperativeHandle, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Problem, Unreachable } from "../../api/problem";
import type { Agent, Id } from "../../api/types";
import { type Draft, type DraftStore, mentionsIn } from "../../state/drafts";
import { readEnterKey } from "../../state/preferences";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { AttachButton, AttachmentRow } from "./attachments";
import { type AgentCommand, hintFor } from "./completion";
import { CompletionMenu } from "./completion-menu";
import { FileNotes } from "./file-notes";
import { type BoxHandle, TextBox } from "./text-box";
import type { Uploads } from "./uploads";
import { useCompletion } from "./use-completion";
import { useDraft } from "./use-draft";
import { useDropTarget } from "./use-drop-target";
import type { Sender } from "./use-sender";

interface Props {
  draft: DraftStore;
  uploads: Uploads;
  sender: Sender;
  agent: Agent | null;
  /** Whose files can be mentioned. */
  project: Id | null;
  commands: readonly AgentCommand[];
  /** Send, or Queue while a run is active. */
  action: string;
  pickers: ReactNode;
  /** What is to be said before anything is sent. */
  notes?: ReactNode;
  stop?: ReactNode;
  /** Where what completes the text is shown: above it, or below where it stands at the top of a page. */
  menu?: "above" | "below";
  onSubmit(): void;
  /** Handles a key of the text before the text does. */
  onKey?(event: KeyboardEvent): boolean;
  ref?: Ref<BoxHandle>;
  autoFocus?: boolean;
}

/** The composer's looks: box, attachments, menus, pickers, buttons, and what went wrong. */
export function ComposerFrame(props: Props) {
  const { draft: store, uploads, sender, agent, project, commands, action, pickers, notes, stop, menu = "above", onSubmit, onKey, ref, autoFocus } = props;
  const { t } = useTranslation();
  const draft = useDraft(store);
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<BoxHandle>(null);
  useImperativeHandle(ref, () => ({
    focus: () => box.current?.focus(),
    moveCaret: (to) => box.current?.moveCaret(to),
    isTyping: () => box.current?.isTyping() ?? false,
  }));
  useEffect(() => store.watchTyping(() => box.current?.isTyping() ?? false), [store]);
  const moveCaret = (to: number) => box.current?.moveCaret(to);
  const completion = useCompletion({ project, commands, draft: store, text: draft.text, moveCaret });
  const dragging = useDropTarget(form, uploads.drop);
  const hintId = useId();
  const hint = hintFor(commands, draft.text);
  const submit = () => {
    onSubmit();
    // The button that was clicked is about to be disabled: keys typed next belong to the text.
    if (!matchMedia("(pointer: coarse)").matches) box.current?.focus();
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => (event.preventDefault(), submit())}
      className={`relative flex min-h-24 flex-col rounded-md border bg-raised focus-within:border-accent ${dragging ? "border-accent" : "border-line-strong"}`}
    >
      {completion.open && (
        <CompletionMenu
          completion={completion.open}
          place={menu}
          hasProject={project !== null}
          agent={agent?.name ?? ""}
          hasCommands={commands.length > 0}
        />
      )}
      {/* Where there is little room this scrolls, and the buttons stay in sight. */}
      <div className="min-h-0 overflow-y-auto">
        {sender.error !== null && <SendError error={sender.error} mentions={mentionsIn(draft)} onDismiss={sender.dismiss} />}
        <AttachmentRow attachments={draft.attachments} draft={store} uploads={uploads} />
        <TextBox
          ref={box}
          autoFocus={autoFocus}
          value={draft.text}
          placeholder={agent ? t("composer.placeholder", { agent: agent.name }) : t("composer.placeholderNone")}
          completion={completion}
          describedBy={hint === null ? undefined : hintId}
          onChange={(text) => store.change({ text })}
          onSubmit={submit}
          onFiles={uploads.add}
          {...(onKey && { onKey })}
        />
        {hint !== null && (
          <p id={hintId} className="px-3 pb-1 text-xs text-muted">
            {t("complete.hint", { hint })}
          </p>
        )}
        <FileNotes agent={agent} attachments={draft.attachments} />
        {notes}
      </div>
      <div className="flex shrink-0 items-end gap-1 p-1.5">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
          <AttachButton onFiles={uploads.add} />
          {pickers}
        </div>
        <span className="flex shrink-0 gap-1.5">
          {stop}
          <SendButton
            action={sender.sending ? t("composer.sending") : action}
            disabled={isBlank(draft) || agent === null || sender.sending || uploads.uploading.length > 0}
          />
        </span>
      </div>
      {dragging && (
        <p className="pointer-events-none absolute inset-0 z-20 flex items-center justify-center rounded-md border-2 border-dashed border-accent bg-accent-soft font-medium">
          {t("composer.drop")}
        </p>
      )}
    </form>
  );
}

function SendButton({ action, disabled }: { action: string; disabled: boolean }) {
  const { t } = useTranslation();
  const hint = readEnterKey() === "sends" ? t("composer.hintEnter") : t("composer.hintBreak");
  return (
    <Button type="submit" look="strong" title={hint} disabled={disabled}>
      <ArrowUp size={16} aria-hidden />
      {action}
    </Button>
  );
}

const isBlank = (draft: Draft): boolean => draft.text.trim() === "" && draft.attachments.length === 0;

function SendError({ error, mentions, onDismiss }: { error: unknown; mentions: readonly string[]; onDismiss(): void }) {
  const { t } = useTranslation();
  const gone = goneMention(error, mentions);
  const elsewhere = error instanceof Problem && error.slug === "nonce-reused";
  const lead = error instanceof Unreachable ? t("composer.unreachable") : t(elsewhere ? "composer.sentElsewhere" : "composer.notSent");
  return (
    <div className="px-2 pt-1">
      <ErrorNote error={gone ? new Error(t("composer.mentionGone", { path: gone })) : elsewhere || error instanceof Unreachable ? null : error} lead={lead} onDismiss={onDismiss} />
    </div>
  );
}

/** The mentioned file that the daemon did not find, if that is what went wrong. */
function goneMention(error: unknown, mentions: readonly string[]): string | undefined {
  const errors = error instanceof Problem && Array.isArray(error.members.errors) ? error.members.errors : [];
  for (const { field } of errors as { field?: unknown }[]) {
    const index = typeof field === "string" ? /^mentions\[(\d+)\]$/.exec(field)?.[1] : undefined;
    if (index !== undefined) return mentions[Number(index)];
  }
  return undefined;
}
