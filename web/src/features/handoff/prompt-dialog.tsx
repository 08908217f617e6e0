import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { getPrompt } from "../../api/calls";
import { Problem } from "../../api/problem";
import type { Id } from "../../api/types";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error-note";
import { HandoffText } from "./handoff-text";
import { labelOf, textOf } from "./prompt";

/** Everything that an agent was sent for one answer, block by block. */
export function PromptDialog({ run, onClose }: { run: Id; onClose(): void }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({ queryKey: ["prompt", run], queryFn: () => getPrompt(run) });
  const unsent = error instanceof Problem && error.status === 404;
  return (
    <Dialog open wide title={t("handoff.promptTitle")} onClose={onClose}>
      {unsent && <p>{t("handoff.nothingSent")}</p>}
      {error && !unsent && <ErrorNote error={error} />}
      <ol className="flex flex-col gap-3">
        {data?.prompt.map((block, index) => {
          const text = textOf(block);
          return (
            <li key={index}>
              {text === null ? <p className="rounded-md border border-line bg-fill px-3 py-2 break-words">{labelOf(block)}</p> : <HandoffText text={text} />}
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}
