import { Hourglass } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MessageHead } from "../../api/types";
import { useTopic } from "../../app/context";
import { tagOf } from "../../i18n";
import type { TaskStore } from "../../state/task-store";
import { duration } from "../../ui/format";

const TICK_MS = 5_000;

/** How long the agent of a running turn has given no sign: a normal state, so it is only said. */
export function Silence({ store, head, agent }: { store: TaskStore; head: MessageHead; agent: string }) {
  const { t, i18n } = useTranslation();
  const since = useTopic(store, "links", ({ state }) => (head.agent ? state?.links.get(head.agent)?.silent_since : null)) ?? null;
  const [now, setNow] = useState(Date.now);
  const silent = head.status === "streaming" && since !== null;
  useEffect(() => {
    if (!silent) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [silent]);
  if (!silent) return null;
  const time = duration(Math.max(now - Date.parse(since), 0), tagOf(i18n.language));
  return (
    <p className="flex items-start gap-1.5 text-muted" data-silence>
      <Hourglass size={14} className="mt-1 shrink-0" aria-hidden />
      {t("notice.silence", { agent, time })}
    </p>
  );
}
