import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { listBrowsers, revokeBrowser } from "../../api/calls";
import type { Browser } from "../../api/types";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { ErrorNote } from "../../ui/error-note";
import { Time } from "../../ui/time";

/** The paired browsers, each of which can be shut out. */
export function Browsers() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: ["browsers"], queryFn: listBrowsers });
  const [revoking, setRevoking] = useState<Browser | null>(null);
  const revoke = async (browser: Browser) => {
    await revokeBrowser(browser.id);
    await queries.invalidateQueries({ queryKey: ["browsers"] });
  };
  return (
    <>
      <p className="mb-2">{t("settings.browsersLead")}</p>
      {error && <ErrorNote error={error} />}
      <ul className="divide-y divide-line">
        {data?.browsers.map((browser) => (
          <BrowserRow key={browser.id} browser={browser} onRevoke={() => setRevoking(browser)} />
        ))}
      </ul>
      {revoking && (
        <Confirm
          open
          title={t("settings.revokeTitle")}
          body={t("settings.revokeBody")}
          confirm={t("settings.revoke")}
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}

function BrowserRow({ browser, onRevoke }: { browser: Browser; onRevoke(): void }) {
  const { t } = useTranslation();
  const name = browser.name || t("settings.unnamedBrowser");
  return (
    <li className="flex items-center justify-between gap-3 py-2">
      <span className="min-w-0">
        <span className="block break-words">
          {name}
          {browser.current && <span className="text-ok"> · {t("settings.thisBrowser")}</span>}
        </span>
        <Time at={browser.created_at} className="text-xs text-muted" />
      </span>
      <Button aria-label={t("settings.revokeLabel", { name })} onClick={onRevoke}>
        {t("settings.revoke")}
      </Button>
    </li>
  );
}
