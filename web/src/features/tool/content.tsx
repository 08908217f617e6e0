import { useTranslation } from "react-i18next";
import { isRecord } from "../../api/problem";
import { CodeBlock } from "../../markdown/code-block";
import { linkTarget, safeHref } from "../../markdown/links";
import { Markdown } from "../../markdown/markdown";
import { reveal } from "../../ui/text";
import { DiffView } from "./diff-view";
import { readFence } from "./fence";
import { asBlob } from "./value";
import { PlainText, ValueText } from "./value-text";

/** Kinds whose results are written for people, in markdown; all others are output. */
const PROSE: ReadonlySet<string> = new Set(["think", "switch_mode", "fetch", "other"]);

/** What a tool call shows as its result: texts, diffs, pictures, files, and whatever else came, as it came. */
export function ToolContent({ content, kind }: { content: unknown; kind?: string | null }) {
  if (asBlob(content)) return <ValueText value={content} />;
  if (!Array.isArray(content)) return content === null || content === undefined ? null : <ValueText value={content} />;
  return content.map((item: unknown, index) => <ContentItem key={index} item={item} prose={PROSE.has(kind ?? "other")} />);
}

function ContentItem({ item, prose }: { item: unknown; prose: boolean }) {
  const { t } = useTranslation();
  if (!isRecord(item) || asBlob(item)) return <ValueText value={item} />;
  if (item.type === "diff" && typeof item.path === "string") {
    return <DiffView path={item.path} before={item.oldText} after={item.newText} />;
  }
  if (item.type === "content" && isRecord(item.content)) return <Block block={item.content} prose={prose} />;
  if (item.type === "terminal" && typeof item.terminalId === "string") {
    return <p className="text-muted">{t("tool.terminal", { id: reveal(item.terminalId) })}</p>;
  }
  return <ValueText value={item} />;
}

const RASTER = /^image\/(?:png|jpeg|gif|webp|avif)$/;

function Block({ block, prose }: { block: Record<string, unknown>; prose: boolean }) {
  const { t } = useTranslation();
  const { type, text, data, mimeType, uri, name, resource } = block;
  if (type === "text" && typeof text === "string") return <Text text={text} prose={prose} />;
  if (type === "text") return <ValueText value={text} />;
  if (type === "image" && typeof data === "string" && typeof mimeType === "string" && RASTER.test(mimeType)) {
    return <img src={`data:${mimeType};base64,${data}`} alt={t("tool.picture")} className="max-h-72 max-w-full rounded-md border border-line" />;
  }
  if (type === "resource_link" && typeof uri === "string") return <Place uri={uri} name={typeof name === "string" ? name : uri} />;
  if (type === "resource" && isRecord(resource) && typeof resource.uri === "string") {
    return (
      <>
        <Place uri={resource.uri} name={resource.uri} />
        {"text" in resource && <ValueText value={resource.text} />}
      </>
    );
  }
  return <ValueText value={block} />;
}

/** A result as its agent meant it: some wrap output into a fence, some write prose. */
function Text({ text, prose }: { text: string; prose: boolean }) {
  const fence = readFence(text);
  if (fence && fence.language !== "" && fence.language !== "console") return <CodeBlock text={fence.text} language={fence.language} />;
  if (fence) return <PlainText text={fence.text} />;
  return prose && !text.includes("\u001b") ? <Markdown text={text} done /> : <PlainText text={text} />;
}

function Place({ uri, name }: { uri: string; name: string }) {
  const target = safeHref(uri);
  if (target === null) return <code className="break-all">{reveal(name)}</code>;
  return (
    <a href={target} target="_blank" rel="noopener noreferrer" title={linkTarget(target)} className="md-link break-all">
      {reveal(name)}
    </a>
  );
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
