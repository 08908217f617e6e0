import { Ban, CircleAlert, CircleDashed, CircleSlash, Repeat, Scissors, Square } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isRecord } from "../../api/problem";
import type { MessageHead } from "../../api/types";
import { tagOf } from "../../i18n";
import type { TaskStore } from "../../state/task-store";
import { duration } from "../../ui/format";
import { TurnProgress } from "./turn-progress";

const CUT_SHORT = { refusal: Ban, max_tokens: Scissors, max_turn_requests: Repeat } as const;

/** How a turn stands, or how it ended. Every way to end that is not the usual one looks different. */
export function TurnEnd({ store, head, agent, empty }: { store: TaskStore; head: MessageHead; agent: string; empty: boolean }) {
  const { t } = useTranslation();
  const icon = { size: 14, className: "mt-1 shrink-0", "aria-hidden": true } as const;
  switch (head.status) {
    case "queued":
      return null;
    case "streaming":
      return <TurnProgress store={store} head={head} agent={agent} empty={empty} />;
    case "cancelled":
      return <EndMark icon={<Square {...icon} />} text={t("message.end.cancelled")} head={head} agent={agent} />;
    case "interrupted":
      return <EndMark icon={<CircleSlash {...icon} />} text={t("message.end.interrupted")} head={head} agent={agent} tone="text-danger" />;
    case "error":
      return <EndMark icon={<CircleAlert {...icon} />} text={t("message.end.error")} head={head} agent={agent} tone="text-danger" />;
    case "done":
      break;
    default:
      return head.status satisfies never;
  }
  const reason = head.stop_reason;
  if (reason === "refusal" || reason === "max_tokens" || reason === "max_turn_requests") {
    const Icon = CUT_SHORT[reason];
    const text = t(`message.end.${reason}`, { agent });
    return <EndMark icon={<Icon {...icon} />} text={text} head={head} agent={agent} tone="text-accent" />;
  }
  if (reason !== null && reason !== "end_turn" && reason !== "cancelled") {
    return <EndMark icon={<CircleDashed {...icon} />} text={t("message.end.unknown", { reason })} head={head} agent={agent} tone="text-accent" />;
  }
  return <EndMark icon={null} text={empty ? t("message.end.empty") : null} head={head} agent={agent} />;
}

interface MarkProps {
  icon: React.ReactNode;
  text: string | null;
  head: MessageHead;
  agent: string;
  tone?: string;
}

function EndMark({ icon, text, head, agent, tone = "text-muted" }: MarkProps) {
  const { t, i18n } = useTranslation();
  const locale = tagOf(i18n.language);
  const tokens = tokensOf(head.usage);
  const cost = costOf(head.usage, locale);
  const facts = [
    agent,
    head.model,
    head.duration_ms === null ? null : duration(head.duration_ms, locale),
    tokens === null ? null : t("message.tokens", { count: tokens }),
    cost,
  ].filter((fact) => fact !== null);
  if (text === null && facts.length === 0) return null;
  return (
    <div className="flex gap-1.5">
      {icon && <span className={tone}>{icon}</span>}
      <p className="min-w-0">
        {text && <span className={`me-2 ${tone}`}>{text}</span>}
        <span className="text-xs text-muted">{facts.join(" · ")}</span>
      </p>
    </div>
  );
}

/** The tokens of a turn, where the agent reports them. */
function tokensOf(usage: unknown): number | null {
  if (!isRecord(usage)) return null;
  if (typeof usage.totalTokens === "number") return usage.totalTokens;
  const { inputTokens, outputTokens } = usage;
  return typeof inputTokens === "number" && typeof outputTokens === "number" ? inputTokens + outputTokens : null;
}

/** What a turn has cost, where the agent says so. */
function costOf(usage: unknown, locale: string): string | null {
  const cost = isRecord(usage) ? usage.cost : undefined;
  if (!isRecord(cost) || typeof cost.amount !== "number" || typeof cost.currency !== "string") return null;
  try {
    return new Intl.NumberFormat(locale, { style: "currency", currency: cost.currency, maximumFractionDigits: 4 }).format(cost.amount);
  } catch {
    return `${cost.amount} ${cost.currency}`;
  }
}
