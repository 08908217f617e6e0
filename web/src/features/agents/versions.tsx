import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { removeVersion, setVersion } from "../../api/calls";
import type { Agent, Install } from "../../api/types";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { ErrorNote } from "../../ui/error-note";
import { Part } from "./facts";

/** What is installed; going back to another version, and removing. */
export function Versions({ agent, install }: { agent: Agent; install: Install }) {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState<string | null>(null);
  const choose = useMutation({ mutationFn: (version: string) => setVersion(agent.id, version) });
  const busy = install.running !== null;
  return (
    <Part title={t("agents.versions.title")}>
      <ul className="divide-y divide-line">
        {install.versions.map((version) => (
          <li key={version} className="flex flex-wrap items-center gap-2 py-1.5">
            <span className="grow tabular-nums">
              {version} {version === install.current && <span className="text-ok">· {t("agents.versions.used")}</span>}
            </span>
            {version !== install.current && (
              <Button
                disabled={busy || choose.isPending}
                aria-label={t("agents.versions.useLabel", { version })}
                onClick={() => choose.mutate(version)}
              >
                {t("agents.versions.use")}
              </Button>
            )}
            <Button disabled={busy} aria-label={t("agents.versions.removeLabel", { version })} onClick={() => setRemoving(version)}>
              {t("agents.versions.remove")}
            </Button>
          </li>
        ))}
      </ul>
      {choose.error && <ErrorNote error={choose.error} />}
      {removing && (
        <Confirm
          open
          title={t("agents.versions.removeTitle", { version: removing })}
          body={t("agents.versions.removeBody")}
          confirm={t("agents.versions.remove")}
          onConfirm={async () => {
            await removeVersion(agent.id, removing);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Part>
  );
}
