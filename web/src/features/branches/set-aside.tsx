import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { listBranches, restoreBranch } from "../../api/calls";
import type { Branch, BranchList } from "../../api/types";
import { useTopic } from "../../app/context";
import { handOnFocus } from "../../app/focus";
import { tagOf } from "../../i18n";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { exactTime } from "../../ui/format";
import { oneLine } from "../../ui/text";
import { useIsActive } from "../task/use-is-active";

/** What a retry or an edit set aside from this place on, with a way to bring it back. */
export function SetAside({ store, ordinal }: { store: TaskStore; ordinal: number }) {
  const { t } = useTranslation();
  const cuts = useTopic(store, "cuts", ({ state }) => state?.cuts ?? 0);
  const { data: branches } = useQuery({
    queryKey: ["branches", store.task, cuts],
    queryFn: () => listBranches(store.task),
    placeholderData: (before: BranchList | undefined) => before,
    select: (list) => list.branches.filter((branch) => branch.from_ordinal === ordinal),
  });
  if (!branches || branches.length === 0) return null;
  return (
    <ul aria-label={t("branch.list")} className="mb-3 flex flex-col gap-1 border-t border-dashed border-line pt-1 text-xs text-muted">
      {branches.map((branch) => (
        <Line key={branch.id} store={store} branch={branch} />
      ))}
    </ul>
  );
}

function Line({ store, branch }: { store: TaskStore; branch: Branch }) {
  const { t, i18n } = useTranslation();
  const active = useIsActive(store);
  const [nonce] = useState(() => crypto.randomUUID());
  const [error, setError] = useState<unknown>(null);
  const line = useRef<HTMLLIElement>(null);
  const restore = () => {
    setError(null);
    restoreBranch(store.task, branch.id, nonce).then(() => handOnFocus(line.current), setError);
  };
  const text = oneLine(branch.opening).slice(0, 80);
  return (
    <li ref={line}>
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate" title={exactTime(branch.created_at, tagOf(i18n.language))}>
          {t("branch.line", { count: branch.messages })}
          {text && <span className="opacity-80"> · {text}</span>}
        </span>
        <Button
          look="quiet"
          className="min-h-6 text-xs"
          aria-label={t("branch.restoreLabel", { text: text || t("branch.line", { count: branch.messages }) })}
          disabled={active}
          title={active ? t("turn.whileActive") : t("branch.restoreHint")}
          onClick={restore}
        >
          <Undo2 size={14} aria-hidden />
          {t("branch.restore")}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </li>
  );
}
