import { Paperclip, X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { uploadAttachment } from "../../api/calls";
import { tagOf } from "../../i18n";
import type { Draft } from "../../state/drafts";
import { IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { byteSize } from "../../ui/format";
import type { DraftHandle } from "./use-draft";

export interface Uploads {
  /** Names of the files on their way. */
  uploading: string[];
  error: unknown;
  add(files: File[]): void;
}

/** Brings files to the daemon as soon as they are chosen; the draft then only holds their ids. */
export function useUploads({ change, current }: DraftHandle): Uploads {
  const [uploading, setUploading] = useState<string[]>([]);
  const [error, setError] = useState<unknown>(null);
  const upload = async (file: File) => {
    setUploading((names) => [...names, file.name]);
    try {
      const attachment = await uploadAttachment(file);
      change({ attachments: [...current().attachments, attachment] });
    } catch (failure) {
      setError(failure);
    } finally {
      setUploading((names) => names.toSpliced(names.indexOf(file.name), 1));
    }
  };
  const add = (files: File[]) => {
    setError(null);
    for (const file of files) void upload(file);
  };
  return { uploading, error, add };
}

export function AttachmentRow({ attachments, uploads, onRemove }: { attachments: Draft["attachments"]; uploads: Uploads; onRemove(id: string): void }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {uploads.error !== null && <ErrorNote error={uploads.error} />}
      {(attachments.length > 0 || uploads.uploading.length > 0) && (
        <ul className="flex flex-wrap gap-1.5 px-3 pt-2">
          {attachments.map((each) => (
            <li key={each.id} className="flex max-w-full items-center gap-1 rounded-md border border-line bg-fill ps-2">
              <span className="min-w-0 truncate">{each.name}</span>
              <span className="shrink-0 text-xs text-muted">{byteSize(each.size, tagOf(i18n.language))}</span>
              <IconButton label={t("composer.removeAttachment", { name: each.name })} onClick={() => onRemove(each.id)}>
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
          {uploads.uploading.map((name, index) => (
            <li key={index} className="px-2 text-muted">
              {t("composer.uploading", { name })}
            </li>
          ))}
        </ul>
      )}
    </>
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
