import { ExternalLink, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AgentRequest } from "../../api/types";
import type { Translate } from "../../i18n";
import { IconButton } from "../../ui/button";
import { oneLine, reveal } from "../../ui/text";
import { useAgentName } from "./card";
import { readAddress, readElicitation } from "./elicitation";
import { chosenName, readPermission } from "./permission";

/** How long it is told how a question ended. */
const TOLD_MS = 6_000;

/** Ends that were told already: coming back to a task does not tell them again. */
const told = new WeakSet<AgentRequest>();

/** How a question ended, said quietly and for a moment; a page that was opened stays until the agent says that it is done. */
export function Outcome({ request }: { request: AgentRequest }) {
  const [gone, setGone] = useState(() => told.has(request));
  const waiting = isWaiting(request);
  const end = () => {
    told.add(request);
    setGone(true);
  };
  useEffect(() => {
    if (waiting || gone) return;
    const timer = setTimeout(() => {
      told.add(request);
      setGone(true);
    }, TOLD_MS);
    return () => clearTimeout(timer);
  }, [request, waiting, gone]);
  if (gone) return null;
  return waiting ? <WaitingPage request={request} onDismiss={end} /> : <EndNote request={request} />;
}

function EndNote({ request }: { request: AgentRequest }) {
  const { t } = useTranslation();
  const agent = useAgentName(request);
  const permission = readPermission(request.payload);
  return (
    <p className="truncate px-1 text-xs text-muted">
      {agent}: {reveal(oneLine(permission.title))} — {endOf(request, chosenName(permission, request.answer), t)}
    </p>
  );
}

function endOf(request: AgentRequest, option: string | null, t: Translate): string {
  if (request.state === "void") return t("request.void");
  const action = actionOf(request);
  if (request.completed_at !== null) return t("request.completed");
  if (action === "accept") return t("request.accepted");
  if (action === "decline") return t("request.declined");
  return option === null ? t("request.answeredCancelled") : t("request.answered", { option });
}

function WaitingPage({ request, onDismiss }: { request: AgentRequest; onDismiss(): void }) {
  const { t } = useTranslation();
  const agent = useAgentName(request);
  const asked = readElicitation(request.payload);
  if (asked.mode !== "url") return null;
  const { host } = readAddress(asked.url);
  return (
    <p role="status" className="flex items-center gap-2 rounded-md border border-line bg-fill px-3 py-1">
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{t("request.pageWaiting", { agent, host: reveal(host) })}</span>
      <a href={asked.url} target="_blank" rel="noopener noreferrer" className="flex shrink-0 items-center gap-1 underline">
        <ExternalLink size={14} aria-hidden />
        {t("request.openAgain")}
      </a>
      <IconButton label={t("request.dismiss")} onClick={onDismiss}>
        <X size={14} aria-hidden />
      </IconButton>
    </p>
  );
}

const actionOf = ({ answer }: AgentRequest): string | null => (answer !== null && "action" in answer ? answer.action : null);

/** A page was opened and its agent has not said yet that what was to be done there is done. */
function isWaiting(request: AgentRequest): boolean {
  return request.state === "answered" && actionOf(request) === "accept" && request.completed_at === null && readElicitation(request.payload).mode === "url";
}
