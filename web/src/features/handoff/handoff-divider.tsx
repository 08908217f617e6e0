import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { getPrompt } from "../../api/calls";
import type { Id, MessageHead } from "../../api/types";
import { tagOf } from "../../i18n";
import { ErrorNote } from "../../ui/error-note";
import { Fold } from "../../ui/fold";
import { byteSize } from "../../ui/format";
import { HandoffText } from "./handoff-text";
import { textOf } from "./prompt";

/** The line above an answer whose agent had missed something. It opens to the exact text that was sent. */
export function HandoffDivider({ head, agent }: { head: MessageHead; agent: string }) {
  const { t, i18n } = useTranslation();
  const { handoff, run_id: run } = head;
  if (!handoff || !run) return null;
  const size = byteSize(handoff.bytes, tagOf(i18n.language));
  return (
    <div className="mb-2 border-t border-line" data-handoff={head.id}>
      <Fold
        place={`handoff:${head.id}`}
        summary={
          <span className="text-xs">
            {t("handoff.done", { agent, count: handoff.turns, size })}
            {handoff.left_out > 0 && <> · {t("handoff.leftOut", { count: handoff.left_out })}</>}
          </span>
        }
      >
        {() => <SentHandoff run={run} />}
      </Fold>
    </div>
  );
}

function SentHandoff({ run }: { run: Id }) {
  const { data, error } = useQuery({ queryKey: ["prompt", run], queryFn: () => getPrompt(run), staleTime: Infinity });
  if (error) return <ErrorNote error={error} />;
  return data ? <HandoffText text={textOf(data.prompt[0]) ?? ""} /> : null;
}
