import { KeyRound, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { sendRunNow } from "../../api/calls";
import type { Id, MessageHead } from "../../api/types";
import { useAgents, useTopic } from "../../app/context";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { AgentLogin } from "./agent-login";

/** In a turn whose agent wants a login first: the ways in. It opens by itself and takes no focus; the daemon goes on once one worked. */
export function LoginWait({ store, head }: { store: TaskStore; head: MessageHead }) {
  const { t } = useTranslation();
  const locked = useTopic(store, "links", ({ state }) => state?.links.get(head.agent ?? "")?.state === "needs_login");
  const agent = useAgents().get(head.agent ?? "");
  if (!locked || !agent || !head.run_id) return null;
  return (
    <section aria-label={t("login.title", { agent: agent.name })} className="rounded-md border border-accent px-3 py-2.5">
      <h4 className="flex items-center gap-1.5 font-semibold">
        <KeyRound size={16} className="shrink-0 text-accent" aria-hidden />
        {t("login.wanted", { agent: agent.name })}
      </h4>
      <p className="mb-3 mt-1 text-muted">{t("login.waits")}</p>
      <AgentLogin agent={agent} leave={false} />
      <Elsewhere run={head.run_id} />
    </section>
  );
}

/** Nobody tells of a login in another program: the user does. */
function Elsewhere({ run }: { run: Id }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const goOn = () => {
    setBusy(true);
    setError(null);
    sendRunNow(run)
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <div className="mt-3">
      <Button look="quiet" disabled={busy} onClick={goOn}>
        <RotateCcw size={14} aria-hidden />
        {t("login.elsewhere")}
      </Button>
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}
