import { File as FileIcon, LoaderCircle, Paperclip, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { attachmentUrl } from "../../api/calls";
import { tagOf } from "../../i18n";
import type { Draft, DraftStore } from "../../state/drafts";
import { Button, IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { binarySize, byteSize } from "../../ui/format";
import type { FailedUpload, Uploads } from "./uploads";

type Attached = Draft["attachments"][number];

/** Pictures that every browser shows, and that the daemon serves as such. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** What goes with the message: pictures as such, files by name and size, each with a way to take it out again. */
export function AttachmentRow({ attachments, draft, uploads }: { attachments: readonly Attached[]; draft: DraftStore; uploads: Uploads }) {
  const { t } = useTranslation();
  const remove = (id: string) => draft.change({ attachments: draft.get().attachments.filter((each) => each.id !== id) });
  return (
    <>
      {uploads.failed.map((failure) => (
        <Failed key={failure.key} failure={failure} onDismiss={() => uploads.dismiss(failure.key)} />
      ))}
      {(attachments.length > 0 || uploads.uploading.length > 0) && (
        <ul aria-label={t("composer.attachments")} className="flex max-h-36 flex-wrap gap-1.5 overflow-y-auto px-3 pt-2">
          {attachments.map((each) => (
            <Attachment key={each.id} attached={each} onRemove={() => remove(each.id)} />
          ))}
          {uploads.uploading.map(({ key, name }) => (
            <li key={key} className="flex max-w-full items-center gap-1.5 rounded-md border border-line bg-fill px-2 text-muted">
              <LoaderCircle size={14} className="shrink-0 animate-spin motion-reduce:animate-none" aria-hidden />
              <span className="min-w-0 truncate">{t("composer.uploading", { name })}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Attachment({ attached, onRemove }: { attached: Attached; onRemove(): void }) {
  const { t, i18n } = useTranslation();
  return (
    <li className="flex max-w-full items-center gap-1.5 rounded-md border border-line bg-fill ps-2">
      {SHOWN.has(attached.mime_type) ? (
        <a href={attachmentUrl(attached.id)} target="_blank" rel="noopener" className="my-1 -ms-1 shrink-0">
          <img src={attachmentUrl(attached.id)} alt={t("composer.preview", { name: attached.name })} className="size-12 rounded-sm bg-bg object-cover" />
        </a>
      ) : (
        <FileIcon size={14} className="shrink-0 text-muted" aria-hidden />
      )}
      <span className="min-w-0">
        <span className="block max-w-48 truncate" title={attached.name}>
          {attached.name}
        </span>
        <span className="block text-xs text-muted">{byteSize(attached.size, tagOf(i18n.language))}</span>
      </span>
      <IconButton label={t("composer.removeAttachment", { name: attached.name })} onClick={onRemove}>
        <X size={14} aria-hidden />
      </IconButton>
    </li>
  );
}

function Failed({ failure, onDismiss }: { failure: FailedUpload; onDismiss(): void }) {
  const { t, i18n } = useTranslation();
  const { file, why, again } = failure;
  const bytes = (count: number) => byteSize(count, tagOf(i18n.language));
  const told = { name: file.name, size: bytes(file.size) };
  const lead =
    why.kind === "folder"
      ? t("composer.folder", told)
      : why.kind === "error"
        ? t("composer.uploadFailed", told)
        : why.limit === null
          ? t("composer.tooLarge", told)
          : t("composer.overLimit", { ...told, limit: binarySize(why.limit, tagOf(i18n.language)) });
  return (
    <div className="px-2 pt-1">
      <ErrorNote error={why.kind === "error" ? why.error : null} lead={lead} onDismiss={onDismiss}>
        {again && (
          <Button className="mt-2" onClick={again}>
            {t("app.retry")}
          </Button>
        )}
      </ErrorNote>
    </div>
  );
}

export function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t("composer.attach")}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton label={t("composer.attach")} onClick={() => input.current?.click()}>
        <Paperclip size={16} aria-hidden />
      </IconButton>
    </>
  );
}
