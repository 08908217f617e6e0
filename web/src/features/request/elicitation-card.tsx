import { useTranslation } from "react-i18next";
import { reveal } from "../../ui/text";
import { useAnswer } from "./answering";
import { Card, type CardProps, useAgentName } from "./card";
import { readElicitation } from "./elicitation";
import { FormCard, LeaveButtons } from "./form-card";
import { UrlCard } from "./url-card";

/** What an agent asks beside permissions: a form, a page to open, or something that this version does not know. */
export function ElicitationCard(props: CardProps) {
  const asked = readElicitation(props.request.payload);
  switch (asked.mode) {
    case "form":
      return <FormCard {...props} message={asked.message} fields={asked.fields} />;
    case "url":
      return <UrlCard {...props} message={asked.message} url={asked.url} />;
    case "unknown":
      return <UnknownCard {...props} message={asked.message} />;
  }
}

function UnknownCard({ message, ...props }: CardProps & { message: string }) {
  const { t } = useTranslation();
  const agent = useAgentName(props.request);
  const { answer, busy, error } = useAnswer(props.request);
  return (
    <Card {...props} error={error} actions={<LeaveButtons busy={busy} onLeave={(action) => answer({ action })} />}>
      <div className="flex flex-col gap-2 px-3 py-1">
        {message !== "" && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{reveal(message)}</p>}
        <p>{t("request.unknownMode", { agent })}</p>
      </div>
    </Card>
  );
}
