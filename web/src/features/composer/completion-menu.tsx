import { File, Slash } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "../../ui/announcer";
import { ErrorNote } from "../../ui/error-note";
import type { Completion, Suggestion } from "./use-completion";

interface Props {
  completion: Completion;
  place: "above" | "below";
  /** Whether there are files to mention here. */
  hasProject: boolean;
  /** Who the message goes to. */
  agent: string;
  /** Whether the agent has told of any command. */
  hasCommands: boolean;
}

/** What can be completed, above the text. The focus stays in the text; the keys are handled there. */
export function CompletionMenu({ completion, place, hasProject, agent, hasCommands }: Props) {
  const { t } = useTranslation();
  const { trigger, suggestions, active, listId } = completion;
  const file = trigger.kind === "file";
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const count = suggestions.length;
  useEffect(() => {
    if (count > 0) announce(t(file ? "complete.files" : "complete.commands", { count }));
  }, [count, file, t]);
  return (
    <div className={`absolute inset-x-0 z-30 overflow-hidden rounded-md border border-line bg-raised shadow-lg ${place === "above" ? "bottom-full mb-1" : "top-full mt-1"}`}>
      {count > 0 ? (
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label={t(file ? "complete.fileList" : "complete.commandList", { agent })}
          className="max-h-[min(40vh,18rem)] overflow-y-auto py-1"
        >
          {suggestions.map((suggestion, index) => (
            <Option key={`${index}:${suggestion.value}`} completion={completion} suggestion={suggestion} index={index} />
          ))}
        </div>
      ) : (
        <p className="px-3 py-2 text-muted">
          {file
            ? t(!hasProject ? "complete.noProject" : completion.searching ? "complete.searching" : "complete.noFile")
            : t(hasCommands ? "complete.noCommand" : "complete.unknownCommands", { agent })}
        </p>
      )}
      {file && completion.error !== null && (
        <div className="px-2">
          <ErrorNote error={completion.error} lead={t("complete.failed")} />
        </div>
      )}
    </div>
  );
}

function Option({ completion, suggestion, index }: { completion: Completion; suggestion: Suggestion; index: number }) {
  const { trigger, active, optionId, choose } = completion;
  const file = trigger.kind === "file";
  const Icon = file ? File : Slash;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the keys are handled in the text, which keeps the focus
    <div
      id={optionId(index)}
      role="option"
      aria-selected={index === active}
      title={suggestion.value}
      className="flex min-h-8 cursor-default items-baseline gap-2 px-3 py-1 aria-selected:bg-hover pointer-coarse:min-h-11 pointer-coarse:items-center"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => choose(index)}
    >
      <Icon size={14} className="shrink-0 self-center text-muted" aria-hidden />
      <span className="max-w-[70%] shrink-0 truncate">{file ? nameOf(suggestion.value) : suggestion.value}</span>
      <span className="min-w-0 flex-1 truncate text-xs text-muted">{suggestion.note}</span>
    </div>
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
