import { Layers } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Id } from "../../api/types";
import { useTopic } from "../../app/context";
import type { TaskStore } from "../../state/task-store";
import { Fold } from "../../ui/fold";
import { oneLine, reveal } from "../../ui/text";
import { countKinds, type QuietKind } from "./rows";

interface Props {
  store: TaskStore;
  message: Id;
  from: number;
  to: number;
  children: (index: number) => ReactNode;
}

/** Calls that nobody has to look at, as one line: "Read 6 files, ran 2 commands". It opens to all of them. */
export function QuietRun({ store, message, from, to, children }: Props) {
  const { t } = useTranslation();
  const counts = useTopic(store, `shape:${message}`, ({ state }) =>
    JSON.stringify(countKinds(state?.entries.get(message)?.parts ?? [], from, to)),
  );
  const underWay = useTopic(store, `shape:${message}`, (each) => titleUnderWay(each, message, to));
  const phrases = (JSON.parse(counts) as [QuietKind, number][]).map(([kind, count]) => t(`tool.quiet.${kind}`, { count }));
  const sentence = phrases.reduce((first, next) => t("tool.quiet.join", { first, next }));
  return (
    <Fold
      summary={
        <>
          <Layers size={14} className="shrink-0" aria-hidden />
          <span className="min-w-0 truncate">
            {sentence.charAt(0).toUpperCase() + sentence.slice(1)}
            {underWay && <span className="text-running"> · {underWay}</span>}
          </span>
        </>
      }
    >
      {() => (
        <div className="ms-2.5 flex flex-col border-s-2 border-line ps-2">
          {Array.from({ length: to - from + 1 }, (_, offset) => children(from + offset))}
        </div>
      )}
    </Fold>
  );
}

/** The title of the run's last call while that is going on. */
function titleUnderWay(store: TaskStore, message: Id, to: number): string | null {
  const part = store.part(message, to);
  if (part?.type !== "tool_call" || part.status === "completed" || store.head(message)?.status !== "streaming") return null;
  return reveal(oneLine(part.title ?? "")) || null;
}
