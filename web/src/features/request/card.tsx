import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AgentRequest } from "../../api/types";
import { useAgents } from "../../app/context";
import { Fold } from "../../ui/fold";
import { ValueText } from "../tool/value-text";
import { AnswerError, StopTurn } from "./answering";

export interface CardProps {
  request: AgentRequest;
  index: number;
  count: number;
}

interface Props extends CardProps {
  error: unknown;
  children: ReactNode;
  /** The answers. */
  actions: ReactNode;
}

/** What every question has: who asks, the question, all that was sent, the answers, and apart from them the end of the turn. */
export function Card({ request, index, count, error, children, actions }: Props) {
  const { t } = useTranslation();
  const title = t("request.title", { agent: useAgentName(request) });
  return (
    <section aria-label={title} data-request={request.id} tabIndex={-1} className="rounded-md border border-accent bg-accent-soft">
      <header className="flex items-baseline gap-2 px-3 pt-2">
        <h3 className="min-w-0 flex-1 font-semibold">{title}</h3>
        {count > 1 && <span className="shrink-0 text-xs text-muted">{t("request.count", { index: index + 1, count })}</span>}
      </header>
      {children}
      <div className="px-3">
        <Fold summary={t("request.raw")}>{() => <ValueText value={request.payload} />}</Fold>
        {error !== null && <AnswerError error={error} />}
      </div>
      <div className="bottom-0 flex max-h-[40vh] flex-wrap items-center gap-1.5 overflow-y-auto rounded-b-md bg-accent-soft p-2 [@media(min-height:500px)]:sticky">
        {actions}
        {request.run_id && <StopTurn run={request.run_id} />}
      </div>
    </section>
  );
}

export function useAgentName(request: AgentRequest): string {
  return useAgents().get(request.agent)?.name ?? request.agent;
}
