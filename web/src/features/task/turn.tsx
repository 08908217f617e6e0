import { Bot, UserRound } from "lucide-react";
import { memo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Id, MessageHead, MessageStatus } from "../../api/types";
import { useAgents, useTopic } from "../../app/context";
import { tagOf, type Translate } from "../../i18n";
import { editing } from "../../state/editing";
import type { TaskStore } from "../../state/task-store";
import { clockTime, exactTime } from "../../ui/format";
import { SetAside } from "../branches/set-aside";
import { HandoffDivider } from "../handoff/handoff-divider";
import { LoginWait } from "../login/login-wait";
import { Silence } from "../notice/silence";
import { EditTurn } from "./edit-turn";
import { UnknownOutcome } from "./evidence";
import { LeftRunning } from "./left-running";
import { TurnActions } from "./turn-actions";
import { TurnEnd } from "./turn-end";
import { TurnMenu } from "./turn-menu";
import { TurnParts } from "./turn-parts";

const SETTLED: ReadonlySet<MessageStatus> = new Set(["done", "error", "cancelled", "interrupted"]);

interface Props {
  store: TaskStore;
  id: Id;
  /** Is told of the element, and returns what to do when it goes. */
  watch(element: HTMLElement | null): (() => void) | undefined;
}

/** One message, as a landmark with a heading. It is drawn anew when its head changes, not when its text grows. */
export const Turn = memo(function Turn({ store, id, watch }: Props) {
  const { t, i18n } = useTranslation();
  const head = useTopic(store, `head:${id}`, (each) => each.head(id));
  const count = useTopic(store, `head:${id}`, ({ state }) => state?.entries.get(id)?.parts.length ?? 0);
  const agents = useAgents();
  const edit = useSyncExternalStore(editing.subscribe, editing.get);
  if (!head) return null;
  const agent = head.agent ? (agents.get(head.agent)?.name ?? head.agent) : "";
  const own = head.role === "user" && head.origin !== "agent";
  const time = clockTime(head.created_at, tagOf(i18n.language));
  const status = head.role === "assistant" ? [t(`message.status.${head.status}`)] : [];
  // Two turns of one minute still have names of their own.
  const label = [nameOf(head, agent, t), time, ...status, t("message.place", { ordinal: head.ordinal })].join(", ");
  const parts = <TurnParts store={store} head={head} />;
  return (
    <section
      ref={watch}
      id={id}
      aria-label={label}
      tabIndex={-1}
      className="group/turn mb-5 outline-offset-2"
      data-status={head.status}
      data-role={head.role}
    >
      <SetAside store={store} ordinal={head.ordinal} />
      <HandoffDivider head={head} agent={agent} />
      <TurnHeading store={store} head={head} agent={agent} />
      {own && edit?.message === id ? (
        <EditTurn store={store} head={head} text={edit.text} />
      ) : own ? (
        <div className="rounded-md bg-fill px-3 py-2">{parts}</div>
      ) : (
        <div className="flex flex-col gap-2.5 ps-6">
          {parts}
          <TurnEnd store={store} head={head} agent={agent} empty={count === 0} />
          {head.status === "streaming" && <LoginWait store={store} head={head} />}
          <Silence store={store} head={head} agent={agent} />
          <UnknownOutcome store={store} head={head} />
          <LeftRunning store={store} head={head} />
          {SETTLED.has(head.status) && head.run_id && <TurnActions store={store} head={head} />}
        </div>
      )}
    </section>
  );
});

function TurnHeading({ store, head, agent }: { store: TaskStore; head: MessageHead; agent: string }) {
  const { t, i18n } = useTranslation();
  const locale = tagOf(i18n.language);
  const Icon = head.role === "user" && head.origin !== "agent" ? UserRound : Bot;
  const time = clockTime(head.created_at, locale);
  const who = nameOf(head, agent, t);
  return (
    <div className="mb-1 flex min-h-7 items-center gap-1.5">
      <h3 className="flex min-w-0 items-center gap-1.5">
        <Icon size={16} className="shrink-0 text-muted" aria-hidden />
        <span className="min-w-0 truncate font-semibold">{who}</span>
        <a href={`#${head.id}`} title={exactTime(head.created_at, locale)} className="text-xs text-muted hover:underline">
          <span className="sr-only">, </span>
          {time}
        </a>
        <span className="sr-only">
          {head.role === "assistant" && `, ${t(`message.status.${head.status}`)}`}
        </span>
        {head.late && <span className="text-xs text-muted">{t("message.late")}</span>}
      </h3>
      <TurnMenu store={store} head={head} who={who} />
    </div>
  );
}

function nameOf(head: MessageHead, agent: string, t: Translate): string {
  if (head.role === "user") return head.origin === "agent" ? t("message.agentSide") : t("message.you");
  return head.origin === "agent" ? t("message.unasked", { agent }) : agent;
}
