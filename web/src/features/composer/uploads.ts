import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { getSettings, uploadAttachment } from "../../api/calls";
import { Problem } from "../../api/problem";
import type { DraftStore } from "../../state/drafts";

/** A file that did not become an attachment. It is kept, so that it can be tried again. */
export interface FailedUpload {
  key: number;
  file: Pick<File, "name" | "size">;
  /** `folder`: what was dropped is one; `large`: it is larger than `limit` bytes; `error`: bringing it to the daemon failed. */
  why: { kind: "folder" } | { kind: "large"; limit: number | null } | { kind: "error"; error: unknown };
  again: (() => void) | null;
}

export interface Uploads {
  /** Files on their way. */
  uploading: readonly { key: number; name: string }[];
  failed: readonly FailedUpload[];
  add(files: readonly File[]): void;
  /** What was dropped: files, and perhaps folders, which cannot be attached. */
  drop(data: DataTransfer): void;
  dismiss(key: number): void;
}

/** Brings files to the daemon as soon as they are chosen; the draft then only holds their ids. */
export function useUploads(draft: DraftStore): Uploads {
  const queries = useQueryClient();
  const [uploading, setUploading] = useState<Uploads["uploading"]>([]);
  const [failed, setFailed] = useState<readonly FailedUpload[]>([]);
  const keys = useRef(0);
  const dismiss = (key: number) => setFailed((all) => all.filter((each) => each.key !== key));
  const fail = (failure: FailedUpload) => setFailed((all) => [...all, failure]);
  const upload = async (file: File) => {
    const key = ++keys.current;
    setUploading((all) => [...all, { key, name: file.name }]);
    const limit = await queries
      .fetchQuery({ queryKey: ["settings"], queryFn: getSettings, staleTime: 60_000 })
      // The daemon tells the limit again when it refuses.
      .then(({ settings }) => settings.attachment_bytes, () => Number.POSITIVE_INFINITY);
    try {
      if (file.size > limit) return fail({ key, file, why: { kind: "large", limit }, again: null });
      const attachment = await uploadAttachment(file);
      draft.change({ attachments: [...draft.get().attachments, attachment] });
    } catch (error) {
      const large = error instanceof Problem && error.status === 413;
      const again = () => (dismiss(key), void upload(file));
      fail({ key, file, why: large ? { kind: "large", limit: null } : { kind: "error", error }, again: large ? null : again });
    } finally {
      setUploading((all) => all.filter((each) => each.key !== key));
    }
  };
  const add = (files: readonly File[]) => {
    for (const file of files) void upload(file);
  };
  const drop = (data: DataTransfer) => {
    const folders = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry?.isDirectory);
    for (const folder of folders) {
      fail({ key: ++keys.current, file: { name: folder?.name ?? "", size: 0 }, why: { kind: "folder" }, again: null });
    }
    add([...data.files].filter(({ name }) => folders.every((folder) => folder?.name !== name)));
  };
  return { uploading, failed, add, drop, dismiss };
}

/** The files of a paste that are meant as files. Text processors put a picture of the text beside it: there the text is meant. */
export function pastedFiles(data: DataTransfer): File[] {
  const isText = data.types.includes("text/plain") && data.types.includes("text/html");
  return isText ? [] : [...data.files];
}
