import { useTranslation } from "react-i18next";
import { CopyButton } from "../../ui/copy-button";

/** What an agent is told, to the byte. */
export function HandoffText({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <div className="relative">
      <div className="absolute end-1 top-1">
        <CopyButton text={text} label={t("turn.copy")} />
      </div>
      {/* A box that scrolls must be reachable by keyboard. */}
      <pre
        tabIndex={0}
        role="region"
        aria-label={t("handoff.exact")}
        className="max-h-[50vh] overflow-auto rounded-md border border-line bg-fill p-3 pe-10 font-mono text-code whitespace-pre-wrap break-words"
      >
        {text}
      </pre>
    </div>
  );
}
