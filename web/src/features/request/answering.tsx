import { OctagonX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answerRequest, cancelRun } from "../../api/calls";
import { Problem } from "../../api/problem";
import type { AgentRequest } from "../../api/types";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";

export type AnswerBody = Parameters<typeof answerRequest>[1];

/** Sends the answer to a request, once. On success the feed closes the card, in this tab as in all others. */
export function useAnswer(request: AgentRequest) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const answer = (body: AnswerBody) => {
    setBusy(true);
    setError(null);
    answerRequest(request.id, body).catch((failure: unknown) => {
      setBusy(false);
      setError(failure);
    });
  };
  return { answer, busy, error };
}

export function AnswerError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const status = error instanceof Problem ? error.status : null;
  if (status === 409) return <ErrorNote error={new Error(t("request.already"))} />;
  if (status === 410) return <ErrorNote error={new Error(t("request.tooLate"))} />;
  return <ErrorNote error={error} />;
}

/** Ends the whole turn. It stands apart from the answers, because it is none. A question outside a turn has none to end. */
export function StopTurn({ run }: { run: string }) {
  const { t } = useTranslation();
  const [error, setError] = useState<unknown>(null);
  const stop = () => {
    setError(null);
    cancelRun(run).catch(setError);
  };
  return (
    <span className="ms-auto border-s border-line ps-2">
      {error !== null && <ErrorNote error={error} />}
      <Button look="quiet" title={t("request.stopHint")} onClick={stop}>
        <OctagonX size={14} className="shrink-0" aria-hidden />
        {t("request.stop")}
      </Button>
    </span>
  );
}
