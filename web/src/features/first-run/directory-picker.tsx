import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CornerLeftUp, Folder, FolderGit2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { createProject, listDirectories } from "../../api/calls";
import { Problem } from "../../api/problem";
import type { Directories } from "../../api/types";
import { useRuntime } from "../../app/context";
import { projectPath } from "../../app/routes";
import { Bones } from "../../ui/bones";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { TextField } from "../../ui/field";
import { forgetDirectory, readDirectory } from "../pairing/wanted";

/** A path as it is typed or pasted, with blanks around it or below `~`, as the daemon takes it; null where there is none. */
async function fullPath(typed: string): Promise<string | null> {
  const path = typed.trim();
  if (path !== "~" && !path.startsWith("~/")) return path || null;
  const { path: home } = await listDirectories(null);
  return home + path.slice(1);
}

/** Walks the directories of this machine, or takes a typed path, and makes a project of one. */
export function DirectoryPicker() {
  const { t } = useTranslation();
  const [path, setPath] = useState<string | null>(readDirectory);
  const [typed, setTyped] = useState<string | null>(null);
  const { data, error } = useQuery({
    queryKey: ["directories", path],
    queryFn: async () => listDirectories(await fullPath(path ?? "")),
    placeholderData: keepPreviousData,
    retry: false,
  });
  // A path that cannot be read leaves the last list, so that there is a way on.
  const [last, setLast] = useState<Directories | undefined>(data);
  if (data && data !== last) setLast(data);
  const listed = data ?? last;
  const shown = typed ?? (error ? path : data?.path) ?? "";
  const open = (next: string | null) => {
    setPath(next);
    setTyped(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open(shown.trim() || null);
  };
  return (
    <div className="rounded-md border border-line">
      <form onSubmit={submit} className="flex items-end gap-2 border-b border-line p-3">
        <TextField label={t("picker.path")} value={shown} onChange={(event) => setTyped(event.target.value)} className="flex-1" />
        <Button type="submit" className="min-h-8">
          {t("picker.go")}
        </Button>
      </form>
      {error && (
        <div className="px-3">
          <ErrorNote error={error} />
        </div>
      )}
      {listed ? <Entries directories={listed} onOpen={open} /> : !error && <Bones lines={4} />}
      {/* What was found not to be readable is said above. */}
      <Choose key={shown} path={shown} disabled={error !== null && typed === null} />
    </div>
  );
}

function Entries({ directories, onOpen }: { directories: Directories; onOpen(path: string): void }) {
  const { t } = useTranslation();
  const row = "flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-start hover:bg-hover";
  const { parent } = directories;
  return (
    <ul aria-label={t("picker.entries", { path: directories.path })} className="max-h-72 overflow-y-auto p-1">
      {parent !== null && (
        <li>
          <button type="button" className={row} onClick={() => onOpen(parent)}>
            <CornerLeftUp size={16} className="shrink-0 text-muted" aria-hidden />
            <span className="truncate">{t("picker.up", { name: parent })}</span>
          </button>
        </li>
      )}
      {directories.entries.map((entry) => (
        <li key={entry.path}>
          <button type="button" className={row} onClick={() => onOpen(entry.path)}>
            {entry.is_git ? (
              <FolderGit2 size={16} className="shrink-0 text-accent" aria-hidden />
            ) : (
              <Folder size={16} className="shrink-0 text-muted" aria-hidden />
            )}
            <span className="truncate">{entry.name}</span>
            {entry.is_git && <span className="text-xs text-muted">{t("picker.git")}</span>}
          </button>
        </li>
      ))}
      {directories.entries.length === 0 && <li className="px-2 py-1 text-muted">{t("picker.empty")}</li>}
    </ul>
  );
}

function Choose({ path, disabled }: { path: string; disabled: boolean }) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const [, navigate] = useLocation();
  const [error, setError] = useState<unknown>(null);
  const choose = async () => {
    setError(null);
    try {
      const project = await createProject({ path: (await fullPath(path)) ?? "" });
      forgetDirectory();
      runtime.overview.learn({ seq: 0, kind: "project.upsert", data: project });
      navigate(projectPath(project.id));
    } catch (refusal) {
      const known = refusal instanceof Problem ? refusal.members.project_id : undefined;
      if (typeof known === "string") navigate(projectPath(known));
      else setError(refusal);
    }
  };
  return (
    <div className="border-t border-line p-3">
      {error !== null && <ErrorNote error={error} />}
      <Button look="strong" disabled={disabled || path.trim() === ""} onClick={() => void choose()}>
        {t("picker.choose")}
      </Button>
    </div>
  );
}
