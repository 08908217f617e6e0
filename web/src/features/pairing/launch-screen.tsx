import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { getStatus, pair } from "../../api/calls";
import { saveKey } from "../../api/key";
import { Problem } from "../../api/problem";
import { useRuntime } from "../../app/context";
import { Command, Plain } from "./pairing-screen";
import { keepDirectory, takeWanted } from "./wanted";

/** One exchange per code, however often React mounts this. */
let exchange: { code: string; done: Promise<void> } | null = null;

function exchangeOnce(code: string): Promise<void> {
  if (exchange?.code !== code) exchange = { code, done: pairWith(code) };
  return exchange.done;
}

async function pairWith(code: string): Promise<void> {
  try {
    const { key, directory } = await pair(code);
    await saveKey(key);
    keepDirectory(directory);
  } catch (refusal) {
    // A used or late link is no matter to a browser that is paired already.
    if (await isPaired()) return;
    throw refusal;
  }
}

const isPaired = (): Promise<boolean> =>
  getStatus().then(
    () => true,
    () => false,
  );

/** Where a launch link leads: its code becomes this browser's key, then the wanted address is shown. */
export function LaunchScreen() {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const [, navigate] = useLocation();
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const code = location.hash.slice(1);
    // The code is used up by the first try; it has no business in the address or the history.
    history.replaceState(history.state, "", "/launch");
    if (code === "") return navigate(takeWanted(Date.now()), { replace: true });
    exchangeOnce(code).then(() => {
      runtime.paired();
      navigate(takeWanted(Date.now()), { replace: true });
    }, setError);
  }, [runtime, navigate]);
  if (error === null) return <Plain title={t("pairing.working")}>{null}</Plain>;
  const status = error instanceof Problem ? error.status : null;
  return (
    <Plain title={t("pairing.failedTitle")}>
      <p role="alert">
        {status === null ? t("pairing.failedNet") : status === 429 ? t("pairing.failedMany") : t("pairing.failedCode")}
      </p>
      <Command text="drover open" />
    </Plain>
  );
}
