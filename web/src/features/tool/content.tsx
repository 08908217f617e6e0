import { useTranslation } from "react-i18next";
import { isRecord } from "../../api/problem";
import { reveal } from "../../ui/text";
import { asBlob } from "./value";
import { PlainText, ValueText } from "./value-text";
import { DiffView } from "./diff-view";

/** What a tool call shows as its result: texts, diffs, terminals, and whatever else came, as it came. */
export function ToolContent({ content }: { content: unknown }) {
  if (asBlob(content)) return <ValueText value={content} />;
  if (!Array.isArray(content)) return content === null || content === undefined ? null : <ValueText value={content} />;
  return content.map((item: unknown, index) => <ContentItem key={index} item={item} />);
}

function ContentItem({ item }: { item: unknown }) {
  const { t } = useTranslation();
  if (!isRecord(item) || asBlob(item)) return <ValueText value={item} />;
  if (item.type === "diff" && typeof item.path === "string") {
    return <DiffView path={item.path} before={item.oldText} after={item.newText} />;
  }
  if (item.type === "content" && isRecord(item.content) && item.content.type === "text") {
    return <ValueText value={item.content.text} />;
  }
  if (item.type === "terminal" && typeof item.terminalId === "string") {
    return <PlainText text={t("tool.terminal", { id: item.terminalId })} />;
  }
  return <ValueText value={item} />;
}

/** The places that a tool call names. */
export function Places({ locations }: { locations: unknown }) {
  if (!Array.isArray(locations)) return null;
  const places = locations.filter(isRecord).flatMap(({ path, line }) => {
    if (typeof path !== "string") return [];
    return typeof line === "number" ? `${path}:${line}` : path;
  });
  if (places.length === 0) return null;
  return (
    <ul>
      {places.map((place, index) => (
        <li key={index}>
          <code className="break-all">{reveal(place)}</code>
        </li>
      ))}
    </ul>
  );
}
