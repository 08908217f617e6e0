import { memo } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../ui/copy-button";

/** Characters in one text node: what grows is the last, the others stay as they are. */
const NODE = 4_096;

/** Code as it is, with its language and a button that copies the exact source. */
export const CodeBlock = memo(function CodeBlock({ text, language }: { text: string; language: string }) {
  const { t } = useTranslation();
  const nodes: string[] = [];
  for (let at = 0; at < text.length; at += NODE) nodes.push(text.slice(at, at + NODE));
  return (
    <figure className="md-figure">
      <figcaption className="flex items-center justify-between gap-2 px-3 pt-1 text-xs text-muted">
        <span>{language || t("code.plain")}</span>
        <CopyButton text={text} label={t("code.copy")} />
      </figcaption>
      <pre tabIndex={0} aria-label={t("code.label", { language: language || t("code.plain") })}>
        <code>{nodes}</code>
      </pre>
    </figure>
  );
});
