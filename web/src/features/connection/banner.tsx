import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useConnection, useRuntime } from "../../app/context";
import { announce } from "../../ui/announcer";
import { Button } from "../../ui/button";

/** Told across the top: the daemon is away, or it has become a newer one than this page. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const { state, outdated } = useConnection();
  const wasDown = useRef(false);
  useEffect(() => {
    if (state === "down") announce(t("announce.down"));
    if (state === "live" && wasDown.current) announce(t("announce.live"));
    if (state === "down" || state === "live") wasDown.current = state === "down";
  }, [state, t]);
  if (state === "down") {
    return (
      <Bar>
        <p className="min-w-0">
          {t("connection.downBanner")} <code>drover</code>
        </p>
        <Button onClick={() => runtime.wake()}>{t("connection.tryNow")}</Button>
      </Bar>
    );
  }
  if (!outdated) return null;
  return (
    <Bar>
      <p className="min-w-0">{t("connection.outdated")}</p>
      <Button onClick={() => location.reload()}>{t("connection.reload")}</Button>
    </Bar>
  );
}

function Bar({ children }: { children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line bg-accent-soft px-4 py-1.5">
      {children}
    </div>
  );
}
