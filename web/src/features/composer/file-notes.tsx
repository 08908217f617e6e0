import { useTranslation } from "react-i18next";
import { isRecord } from "../../api/problem";
import type { Agent } from "../../api/types";
import type { Draft } from "../../state/drafts";

/** Whether an agent takes pictures as such; null until it has been started once and said so. */
export function takesImages(agent: Agent): boolean | null {
  const { capabilities } = agent;
  if (!isRecord(capabilities)) return null;
  const able = isRecord(capabilities.agentCapabilities) ? capabilities.agentCapabilities : {};
  return isRecord(able.promptCapabilities) && able.promptCapabilities.image === true;
}

/** Says before the send what becomes of pictures that the agent does not take as such. */
export function FileNotes({ agent, attachments }: { agent: Agent | null; attachments: Draft["attachments"] }) {
  const { t } = useTranslation();
  const count = attachments.filter(({ mime_type }) => mime_type.startsWith("image/")).length;
  const takes = agent && takesImages(agent);
  if (!agent || count === 0 || takes) return null;
  return (
    <p className="px-3 pb-1 text-xs text-muted">
      {t(takes === null ? "composer.perhapsNoImages" : "composer.noImages", { agent: agent.name, count })}
    </p>
  );
}
