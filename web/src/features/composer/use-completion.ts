import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { findFiles } from "../../api/calls";
import type { Id } from "../../api/types";
import type { DraftStore } from "../../state/drafts";
import { type AgentCommand, complete, matching, type Trigger, triggerAt } from "./completion";

export interface Suggestion {
  /** What is put into the text. */
  value: string;
  /** A second, quieter text. */
  note: string;
}

export interface Completion {
  trigger: Trigger;
  suggestions: readonly Suggestion[];
  /** The one that Enter takes; -1 where there is none. */
  active: number;
  /** The files are being looked for. */
  searching: boolean;
  error: unknown;
  listId: string;
  optionId(index: number): string;
  choose(index: number): void;
}

export interface CompletionHandle {
  open: Completion | null;
  /** The caret moved, or the text changed. */
  caretAt(caret: number): void;
  /** Handles a key that belongs to the open menu. False: it belongs to the text. */
  press(event: KeyboardEvent): boolean;
}

interface Source {
  /** The project whose files can be mentioned. */
  project: Id | null;
  commands: readonly AgentCommand[];
  draft: DraftStore;
  text: string;
  /** Puts the caret into the changed text. */
  moveCaret(to: number): void;
}

/** Files after `@` and commands after `/`, chosen without leaving the text. */
export function useCompletion({ project, commands, draft, text, moveCaret }: Source): CompletionHandle {
  const [caret, setCaret] = useState(0);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const [chosen, setChosen] = useState<{ query: string; index: number } | null>(null);
  const listId = useId();
  const found = triggerAt(text, Math.min(caret, text.length));
  const place = found && `${found.kind}:${found.start}`;
  const trigger = found && place !== dismissed ? found : null;
  const files = useFiles(project, trigger?.kind === "file" ? trigger.query : null);
  if (dismissed !== null && place !== dismissed) setDismissed(null);
  const suggestions = trigger?.kind === "command" ? commandSuggestions(commands, trigger.query) : files.suggestions;
  const active = trigger && chosen?.query === trigger.query ? Math.min(chosen.index, suggestions.length - 1) : Math.min(0, suggestions.length - 1);
  const choose = (index: number) => {
    const suggestion = suggestions[index];
    if (!trigger || !suggestion) return;
    const next = complete(text, trigger, suggestion.value);
    const { mentions } = draft.get();
    const mentioned = trigger.kind === "file" && !mentions.includes(suggestion.value);
    draft.change({ text: next.text, ...(mentioned && { mentions: [...mentions, suggestion.value] }) });
    setCaret(next.caret);
    moveCaret(next.caret);
  };
  const press = (event: KeyboardEvent): boolean => {
    if (!trigger || event.nativeEvent.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") setDismissed(place);
    else if (suggestions.length === 0) return false;
    else if (step) setChosen({ query: trigger.query, index: (active + step + suggestions.length) % suggestions.length });
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && !event.ctrlKey && !event.metaKey) choose(active);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const optionId = (index: number) => `${listId}-${index}`;
  const searching = trigger?.kind === "file" && files.searching;
  const open = trigger && { trigger, suggestions, active, searching, error: files.error, listId, optionId, choose };
  return { open, caretAt: setCaret, press };
}

function commandSuggestions(commands: readonly AgentCommand[], query: string): Suggestion[] {
  return matching(commands, query).map(({ name, description }) => ({ value: name, note: description }));
}

/** Asked for while typing goes on: an answer that is no longer wanted is not waited for. */
function useFiles(project: Id | null, query: string | null) {
  const wanted = useDeferredValue(query);
  const { data, error, isFetching } = useQuery({
    queryKey: ["files", project, wanted],
    queryFn: ({ signal }) => findFiles(project ?? "", wanted ?? "", signal),
    enabled: project !== null && query !== null && wanted !== null,
    placeholderData: keepPreviousData,
    staleTime: 2_000,
  });
  const suggestions = project === null || query === null ? [] : (data?.files ?? []).map(({ path }) => split(path));
  return { suggestions, error, searching: isFetching && data === undefined };
}

function split(path: string): Suggestion {
  const at = path.lastIndexOf("/");
  return { value: path, note: at < 0 ? "" : path.slice(0, at) };
}
