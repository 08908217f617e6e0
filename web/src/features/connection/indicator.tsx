import { useTranslation } from "react-i18next";
import { useConnection } from "../../app/context";
import type { Connection } from "../../app/runtime";

const DOTS: Record<Connection["state"], string> = {
  live: "bg-ok",
  polling: "bg-ok",
  connecting: "border border-line-strong",
  down: "bg-danger",
  "signed-out": "bg-danger",
};

/** The quiet word at the foot of the rail. */
export function ConnectionIndicator() {
  const { t } = useTranslation();
  const { state } = useConnection();
  const words: Record<Connection["state"], string> = {
    live: t("connection.live"),
    polling: t("connection.polling"),
    connecting: t("connection.connecting"),
    down: t("connection.down"),
    "signed-out": t("connection.signedOut"),
  };
  return (
    <span className="flex shrink-0 items-center gap-1.5 pe-1 text-xs whitespace-nowrap text-muted" data-connection={state}>
      <span className={`size-2 rounded-full ${DOTS[state]}`} aria-hidden />
      {words[state]}
    </span>
  );
}
