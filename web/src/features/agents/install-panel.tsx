import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { cancelInstall, installAgent } from "../../api/calls";
import type { Agent, Install } from "../../api/types";
import { tagOf } from "../../i18n";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { Fold } from "../../ui/fold";
import { byteSize } from "../../ui/format";
import { Facts, Part } from "./facts";

/** What installing would do, before it is done; how far it is, while it is done; why it failed. */
export function InstallPanel({ agent, install }: { agent: Agent; install: Install }) {
  const { t } = useTranslation();
  const begin = useMutation({ mutationFn: () => installAgent(agent.id) });
  const cancel = useMutation({ mutationFn: () => cancelInstall(agent.id) });
  const error = begin.error ?? cancel.error;
  const wanted = install.current !== install.version;
  if (!wanted && !install.running && !install.failure) return null;
  return (
    <Part title={t("agents.install.title")}>
      {install.running ? (
        <Progress install={install} onCancel={() => cancel.mutate()} cancelling={cancel.isPending} />
      ) : (
        <>
          {install.failure && <Failure failure={install.failure} />}
          {wanted && <Announcement install={install} />}
          {install.blocked && (
            <p role="note" className="mt-2 rounded-md border border-line bg-raised px-3 py-2">
              {t("agents.install.blocked")} {install.blocked}
            </p>
          )}
          {wanted && !install.blocked && (
            <Button look="strong" className="mt-3" disabled={begin.isPending} onClick={() => begin.mutate()}>
              {label()}
            </Button>
          )}
        </>
      )}
      {error && <ErrorNote error={error} />}
    </Part>
  );

  function label(): string {
    if (install.failure) return t("agents.install.again");
    return install.update ? t("agents.install.update", { version: install.version }) : t("agents.install.button");
  }
}

function Announcement({ install }: { install: Install }) {
  const { t } = useTranslation();
  const size = useSize();
  const { node } = install;
  const before = node && {
    packages: node.packages.join(", "),
    size: size(node.bytes),
    floor: node.floor,
    have: node.have ?? "",
  };
  return (
    <>
      <p className="mb-3">
        {t("agents.install.lead")} {install.current && t("agents.install.asUpdate")}
      </p>
      <Facts
        rows={[
          [t("agents.install.runs"), <code key="line" className="break-all">{install.command}</code>],
          [t("agents.install.publisher"), install.publisher],
          [t("agents.install.license"), install.license],
          [t("agents.install.size"), t("agents.install.about", { size: size(install.bytes) })],
          ...(before
            ? [[t("agents.install.before"), node.have ? t("agents.install.beforeHave", before) : t("agents.install.beforeNone", before)] as const]
            : []),
        ]}
      />
    </>
  );
}

function Progress({ install, onCancel, cancelling }: { install: Install; onCancel(): void; cancelling: boolean }) {
  const { t } = useTranslation();
  const size = useSize();
  const step = install.running;
  if (!step) return null;
  const doing = t(`agents.install.doing.${step.doing}`);
  const counted = step.expected > 0;
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-3">
        <span>
          {t("agents.install.step", { step: step.step, of: step.of })} · {doing}
        </span>
        {counted && (
          <span className="tabular-nums text-muted">
            {t("agents.install.bytes", { bytes: size(step.bytes), expected: size(step.expected) })}
          </span>
        )}
      </p>
      <progress
        aria-label={doing}
        className="my-2 h-2 w-full appearance-none overflow-hidden rounded-full bg-hover [&::-moz-progress-bar]:bg-accent-fill [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent-fill"
        max={counted ? step.expected : 1}
        value={counted ? Math.min(step.bytes, step.expected) : Number(step.doing === "verify")}
      />
      <Button disabled={cancelling} onClick={onCancel}>
        {t("agents.install.cancel")}
      </Button>
    </>
  );
}

const KNOWN = [
  "npm_missing", "node_too_old", "no_space", "not_writable", "registry_away", "registry_refused", "not_in_registry",
  "integrity", "platform_missing", "wrong_version", "does_not_start", "npm_failed", "interrupted", "internal",
] as const;

function Failure({ failure }: { failure: NonNullable<Install["failure"]> }) {
  const { t, i18n } = useTranslation();
  const known = KNOWN.find((code) => code === failure.code);
  // The daemon's own sentence says more, but only in English.
  const sentence = known && i18n.language !== "en" ? t(`agents.install.failure.${known}`) : failure.message;
  const detail = [i18n.language === "en" ? null : failure.message, failure.detail].filter(Boolean).join("\n\n");
  return (
    <div role="alert" className="mb-3 rounded-md border border-danger bg-danger-soft px-3 py-2">
      <p className="font-medium">{t("agents.install.failed")}</p>
      <p>{sentence}</p>
      {detail && (
        <Fold summary={t("agents.install.said")}>
          {() => <pre className="mt-1 max-h-60 overflow-auto text-xs whitespace-pre-wrap">{detail}</pre>}
        </Fold>
      )}
    </div>
  );
}

function useSize(): (bytes: number) => string {
  const { i18n } = useTranslation();
  return (bytes) => byteSize(bytes, tagOf(i18n.language));
}
