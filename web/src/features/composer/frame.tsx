import { ArrowUp } from "lucide-react";
import { type ReactNode, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { Unreachable } from "../../api/problem";
import type { Agent } from "../../api/types";
import { readEnterKey } from "../../state/preferences";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { AttachButton, AttachmentRow, type Uploads } from "./attachments";
import { TextBox } from "./text-box";
import type { DraftHandle } from "./use-draft";
import type { Sender } from "./use-sender";

interface Props {
  handle: DraftHandle;
  uploads: Uploads;
  sender: Sender;
  agent: Agent | null;
  /** Send, or Queue while a run is active. */
  action: string;
  pickers: ReactNode;
  stop?: ReactNode;
  onSubmit(): void;
  boxRef?: Ref<HTMLTextAreaElement>;
  autoFocus?: boolean;
}

/** The composer's looks: box, attachments, pickers, buttons, and what went wrong. */
export function ComposerFrame({ handle, uploads, sender, agent, action, pickers, stop, onSubmit, boxRef, autoFocus }: Props) {
  const { t } = useTranslation();
  const { draft, change } = handle;
  const empty = draft.text.trim() === "" && draft.attachments.length === 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping files adds to the button for it
    <form
      onSubmit={(event) => (event.preventDefault(), onSubmit())}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        uploads.add([...event.dataTransfer.files]);
      }}
      className="shrink-0 rounded-md border border-line-strong bg-raised focus-within:border-accent"
    >
      {sender.error !== null && <SendError error={sender.error} />}
      <AttachmentRow
        attachments={draft.attachments}
        uploads={uploads}
        onRemove={(id) => change({ attachments: draft.attachments.filter((each) => each.id !== id) })}
      />
      <TextBox
        {...(boxRef ? { ref: boxRef } : {})}
        {...(autoFocus ? { autoFocus } : {})}
        value={draft.text}
        placeholder={agent ? t("composer.placeholder", { agent: agent.name }) : t("composer.placeholderNone")}
        onChange={(text) => change({ text })}
        onSubmit={onSubmit}
        onFiles={uploads.add}
      />
      <div className="flex items-end gap-1 p-1.5">
        {/* On a narrow screen the pickers take more lines, so that none of them is hidden. */}
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
          <AttachButton onFiles={uploads.add} />
          {pickers}
        </div>
        <span className="flex shrink-0 gap-1.5">
          {stop}
          <Button
            type="submit"
            look="strong"
            title={readEnterKey() === "sends" ? t("composer.hintEnter") : t("composer.hintBreak")}
            disabled={empty || agent === null || sender.sending || uploads.uploading.length > 0}
          >
            <ArrowUp size={16} aria-hidden />
            {sender.sending ? t("composer.sending") : action}
          </Button>
        </span>
      </div>
    </form>
  );
}

function SendError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const lead = error instanceof Unreachable ? t("composer.unreachable") : t("composer.notSent");
  return (
    <div className="px-2 pt-1">
      <ErrorNote error={error} lead={lead} />
    </div>
  );
}
