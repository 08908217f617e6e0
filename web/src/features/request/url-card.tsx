import { ExternalLink, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { reveal } from "../../ui/text";
import { useAnswer } from "./answering";
import { Card, type CardProps, useAgentName } from "./card";
import { readAddress } from "./elicitation";
import { LeaveButtons } from "./form-card";

interface Props extends CardProps {
  message: string;
  url: string;
}

/** A page that an agent wants opened: its whole address, what may deceive about it, and nothing opened before a click. */
export function UrlCard({ message, url, ...props }: Props) {
  const { t } = useTranslation();
  const { request } = props;
  const agent = useAgentName(request);
  const { answer, busy, error } = useAnswer(request);
  const address = readAddress(url);
  const accept = () => answer({ action: "accept" });
  const actions = (
    <>
      {address.opens && <OpenLink url={url} host={address.host} onOpen={accept} />}
      {request.completed_at !== null && (
        <Button disabled={busy} onClick={accept}>
          {t("request.pageContinue")}
        </Button>
      )}
      <LeaveButtons busy={busy} onLeave={(action) => answer({ action })} />
    </>
  );
  return (
    <Card {...props} error={error} actions={actions}>
      <div className="flex flex-col gap-2 px-3 py-1">
        {message !== "" && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{reveal(message)}</p>}
        <p>{t("request.page", { agent })}</p>
        <div className="flex items-start gap-1 rounded-md border border-line bg-bg p-2">
          <code className="min-w-0 flex-1 text-muted [overflow-wrap:anywhere]">
            {reveal(address.before)}
            <strong className="rounded-sm bg-accent-soft text-text">{reveal(address.host)}</strong>
            {reveal(address.after)}
          </code>
          <CopyButton text={url} label={t("request.copyAddress")} />
        </div>
        {address.punycode !== null && <Warning text={t("request.punycode", { host: address.punycode })} />}
        {address.userInfo && <Warning text={t("request.userInfo", { host: reveal(address.host) })} />}
        {!address.opens && <Warning text={t("request.notOpened")} />}
        {request.completed_at !== null && <p role="status">{t("request.pageDone", { agent })}</p>}
      </div>
    </Card>
  );
}

/** A plain link, so that the browser opens it as people expect. The new page cannot reach this one. */
function OpenLink({ url, host, onOpen }: { url: string; host: string; onOpen(): void }) {
  const { t } = useTranslation();
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass("strong", "max-w-full shrink")}
      onClick={onOpen}
      onAuxClick={(event) => event.button === 1 && onOpen()}
    >
      <ExternalLink size={14} className="shrink-0" aria-hidden />
      <span className="min-w-0 [overflow-wrap:anywhere]">{t("request.open", { host: reveal(host) })}</span>
    </a>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <p className="flex gap-1.5 text-danger">
      <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
      <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
    </p>
  );
}
