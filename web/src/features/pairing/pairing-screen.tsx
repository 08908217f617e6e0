import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useTitle } from "../../app/title";
import { CopyButton } from "../../ui/copy-button";
import { keepWanted } from "./wanted";

/** What a browser sees that is not paired. The page goes on by itself once it is. */
export function PairingScreen() {
  const { t } = useTranslation();
  useTitle([t("connection.signedOut")]);
  useEffect(keepWanted, []);
  return (
    <Plain title={t("pairing.title")}>
      <p>{t("pairing.body")}</p>
      <Command text="drover open" />
      <p className="text-muted">{t("pairing.after")}</p>
    </Plain>
  );
}

/** A screen that stands alone, without rail. */
export function Plain({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="content" className="mx-auto flex h-full max-w-[30rem] flex-col justify-center gap-3 p-6">
      <h1 className="text-lg font-semibold">{title}</h1>
      {children}
    </main>
  );
}

export function Command({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center justify-between rounded-md border border-line bg-fill px-3 py-1">
      <code>{text}</code>
      <CopyButton text={text} label={t("code.copy")} />
    </div>
  );
}
