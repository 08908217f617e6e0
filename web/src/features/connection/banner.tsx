import { CircleAlert, CloudOff, HardDrive, RefreshCw } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useConnection, useOverview, useRuntime } from "../../app/context";
import { announce } from "../../ui/announcer";
import { Button, buttonClass } from "../../ui/button";

/** Told across the top, the gravest first: what is the matter with the daemon, and what one can do. */
export function ConnectionBanner() {
  const { state, outdated, store } = useConnection();
  const { agentsProblem } = useOverview();
  useSpokenConnection();
  if (state === "down") return <Away />;
  if (store !== null) return <CannotWrite full={store === "store-full"} />;
  if (outdated) return <Outdated />;
  if (agentsProblem) return <BrokenFile file={agentsProblem.file} />;
  return null;
}

/** Says once that the daemon went and that it came back. */
function useSpokenConnection(): void {
  const { t } = useTranslation();
  const { state } = useConnection();
  const wasDown = useRef(false);
  useEffect(() => {
    if (state === "down") announce(t("announce.down"));
    if (state === "live" && wasDown.current) announce(t("announce.live"));
    if (state === "down" || state === "live") wasDown.current = state === "down";
  }, [state, t]);
}

function Away() {
  const { t } = useTranslation();
  const runtime = useRuntime();
  return (
    <Bar kind="down" icon={<CloudOff size={16} aria-hidden />}>
      <p className="min-w-0 flex-1 basis-72">
        <strong>{t("connection.downTitle")}</strong> {t("connection.downBody")} <code>drover</code>
      </p>
      <span className="flex items-center gap-3">
        <Countdown />
        <Button onClick={() => runtime.wake()}>{t("connection.tryNow")}</Button>
      </span>
    </Bar>
  );
}

/** Seconds to the next try. It is for the eye only: nobody wants to hear a number every second. */
function Countdown() {
  const { t } = useTranslation();
  const { retryAt } = useConnection();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil(((retryAt ?? now) - now) / 1_000);
  return <span className="text-muted tabular-nums">{seconds > 0 ? t("connection.retryIn", { seconds }) : t("connection.trying")}</span>;
}

function CannotWrite({ full }: { full: boolean }) {
  const { t } = useTranslation();
  return (
    <Bar kind="store" icon={<HardDrive size={16} aria-hidden />}>
      <p className="min-w-0 flex-1 basis-72">
        <strong>{full ? t("connection.fullTitle") : t("connection.storeTitle")}</strong> {full ? t("connection.fullBody") : t("connection.storeBody")}
      </p>
    </Bar>
  );
}

function Outdated() {
  const { t } = useTranslation();
  return (
    <Bar kind="outdated" icon={<RefreshCw size={16} aria-hidden />}>
      <p className="min-w-0 flex-1 basis-72">{t("connection.outdated")}</p>
      <Button look="strong" onClick={() => location.reload()}>
        {t("connection.reload")}
      </Button>
    </Bar>
  );
}

function BrokenFile({ file }: { file: string }) {
  const { t } = useTranslation();
  return (
    <Bar kind="broken-file" icon={<CircleAlert size={16} aria-hidden />}>
      <p className="min-w-0 flex-1 basis-72 break-words">{t("connection.brokenFile", { file })}</p>
      <Link href="/settings/agents" className={buttonClass()}>
        {t("connection.look")}
      </Link>
    </Bar>
  );
}

interface BarProps {
  kind: "down" | "store" | "outdated" | "broken-file";
  icon: ReactNode;
  children: ReactNode;
}

function Bar({ kind, icon, children }: BarProps) {
  return (
    <div data-banner={kind} className="flex items-start gap-3 border-b border-line bg-accent-soft px-4 py-2">
      <span className="mt-1 shrink-0 text-accent">{icon}</span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">{children}</div>
    </div>
  );
}
