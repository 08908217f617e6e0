import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isRecord } from "../../api/problem";
import type { MessageHead, Part } from "../../api/types";
import { useAgents, useTopic } from "../../app/context";
import type { TaskStore } from "../../state/task-store";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { AgentLogin } from "./agent-login";

/** ACP's code for "log in first". */
const AUTH_REQUIRED = "-32000";

/** Whether a turn failed for want of a login. */
export function wantsLogin(parts: readonly Part[]): boolean {
  const error = parts.findLast((part) => part.type === "error");
  if (!error) return false;
  const actions = isRecord(error.detail) && Array.isArray(error.detail.actions) ? error.detail.actions : [];
  return error.code === AUTH_REQUIRED || actions.includes("login");
}

/** Beside a turn that failed for want of a login: the way in, and then the same message once more. */
export function LoginPrompt({ store, head, retry }: { store: TaskStore; head: MessageHead; retry: () => void }) {
  const { t } = useTranslation();
  const wanted = useTopic(store, `head:${head.id}`, ({ state }) => head.status === "error" && wantsLogin(state?.entries.get(head.id)?.parts ?? []));
  const agent = useAgents().get(head.agent ?? "");
  const [open, setOpen] = useState(false);
  const begun = useRef<string | null>(null);
  const login = agent?.login;
  useEffect(() => {
    if (!open || !login) return;
    if (login.state === "running") begun.current = login.started_at;
    if (login.state !== "succeeded" || begun.current !== login.started_at) return;
    // Once for each login: a second refusal asks again instead of going round.
    begun.current = null;
    setOpen(false);
    retry();
  }, [open, login, retry, begun]);
  if (!wanted || !agent) return null;
  return (
    <div>
      <Button onClick={() => setOpen(true)}>
        <KeyRound size={14} aria-hidden />
        {t("login.open", { agent: agent.name })}
      </Button>
      <Dialog open={open} title={t("login.title", { agent: agent.name })} onClose={() => setOpen(false)}>
        <p className="mb-3 text-muted">{t("login.why")}</p>
        <AgentLogin agent={agent} />
      </Dialog>
    </div>
  );
}
