import { ExternalLink, KeyRound, LoaderCircle, SquareTerminal } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { checkAgent, endLogin, logIn, logOut } from "../../api/calls";
import type { Agent, AuthMethod } from "../../api/types";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { ErrorNote } from "../../ui/error-note";
import { reveal } from "../../ui/text";

const Terminal = lazy(() => import("./terminal"));

interface Props {
  agent: Agent;
  /** Whether to offer the way out. */
  leave?: boolean;
}

/** The ways to log in to an agent, the login that goes on, and the way out. Nothing is asked of the agent before a click. */
export function AgentLogin({ agent, leave = true }: Props) {
  const { t } = useTranslation();
  const { busy, error, act } = useAct();
  const login = agent.login;
  const running = login?.state === "running";
  return (
    <div className="flex flex-col gap-3">
      {agent.account && <p className="text-muted">{t("login.account", { account: reveal(agent.account) })}</p>}
      {running ? (
        <Going agent={agent} onEnd={() => act(endLogin(agent.id))} />
      ) : (
        <Methods agent={agent} busy={busy} onChoose={(method) => act(logIn(agent.id, method.id))} />
      )}
      {login?.state === "succeeded" && <p role="status">{t("login.succeeded", { agent: agent.name })}</p>}
      {login?.state === "cancelled" && <p role="status">{t("login.cancelled")}</p>}
      {login?.state === "failed" && (
        <div role="alert" className="rounded-md border border-danger bg-danger-soft px-3 py-2">
          <p>{t("login.failed")}</p>
          {login.detail && <pre className="mt-1 max-h-40 overflow-auto text-xs whitespace-pre-wrap">{reveal(login.detail)}</pre>}
        </div>
      )}
      {error !== null && <ErrorNote error={error} />}
      {leave && agent.can_log_out && !running && <LogOut agent={agent} busy={busy} />}
    </div>
  );
}

function useAct() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = (call: Promise<unknown>) => {
    setBusy(true);
    setError(null);
    call.catch(setError).finally(() => setBusy(false));
  };
  return { busy, error, act };
}

function Methods({ agent, busy, onChoose }: { agent: Agent; busy: boolean; onChoose(method: AuthMethod): void }) {
  const { t } = useTranslation();
  const known = agent.auth_methods;
  const { busy: looking, error, act } = useAct();
  if (known === null || known === undefined) {
    return (
      <div>
        <p className="mb-2 text-muted">{t("login.unknown", { agent: agent.name })}</p>
        <Button disabled={looking} onClick={() => act(checkAgent(agent.id))}>
          {t(looking ? "login.asking" : "login.ask")}
        </Button>
        {error !== null && <ErrorNote error={error} />}
      </div>
    );
  }
  if (known.length === 0) return <p className="text-muted">{t("login.none", { agent: agent.name })}</p>;
  return (
    <ul className="flex flex-col gap-2">
      {known.map((method) => (
        <li key={method.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line px-3 py-2">
          <span className="min-w-0 flex-1">
            <span className="block font-medium">{reveal(method.name)}</span>
            {method.description && <span className="block text-muted">{reveal(method.description)}</span>}
            {method.kind === "env_var" && (
              <span className="block text-muted">{t("login.envVar", { names: (method.vars ?? []).join(", "), agent: agent.id })}</span>
            )}
          </span>
          {method.kind === "agent" || method.kind === "terminal" ? (
            <Button disabled={busy} onClick={() => onChoose(method)}>
              {method.kind === "terminal" ? <SquareTerminal size={14} aria-hidden /> : <KeyRound size={14} aria-hidden />}
              {t("login.choose")}
              <span className="sr-only">{`: ${reveal(method.name)}`}</span>
            </Button>
          ) : (
            method.kind === "unsupported" && <span className="text-muted">{t("login.unsupported")}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Going({ agent, onEnd }: { agent: Agent; onEnd(): void }) {
  const { t } = useTranslation();
  const login = agent.login;
  if (!login) return null;
  const page = login.page;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-1.5">
        <LoaderCircle size={14} className="breathe shrink-0 text-running" aria-hidden />
        {t(login.terminal ? "login.inTerminal" : "login.going", { agent: agent.name })}
      </p>
      {page && (
        <p className="rounded-md border border-line px-3 py-2 [overflow-wrap:anywhere]">
          <span className="block whitespace-pre-wrap">{reveal(page.message)}</span>
          <PageLink url={page.url} />
        </p>
      )}
      {login.terminal && (
        <Suspense fallback={<p className="text-muted">{t("app.loading")}</p>}>
          <Terminal key={login.started_at} agent={agent.id} label={t("login.terminal", { agent: agent.name })} />
        </Suspense>
      )}
      <div>
        <Button onClick={onEnd}>{t("login.end")}</Button>
      </div>
    </div>
  );
}

/** Only pages of the web are links, and the whole address is told. */
function PageLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span>{reveal(url)}</span>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className="inline-flex items-center gap-1 underline">
      <ExternalLink size={14} className="shrink-0" aria-hidden />
      {reveal(url)}
    </a>
  );
}

function LogOut({ agent, busy }: { agent: Agent; busy: boolean }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <div>
      <Button disabled={busy} onClick={() => setAsking(true)}>
        {t("login.logOut")}
      </Button>
      <Confirm
        open={asking}
        title={t("login.logOutTitle", { agent: agent.name })}
        body={t("login.logOutText", { agent: agent.name })}
        confirm={t("login.logOut")}
        onConfirm={() => logOut(agent.id).then(() => undefined)}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
