import { isRecord } from "../../api/problem";

/** The text of a content block of the protocol, if it is one of text. */
export function textOf(block: unknown): string | null {
  return isRecord(block) && block.type === "text" && typeof block.text === "string" ? block.text : null;
}

/** What a block that is not text is called: its name or address, else its kind. */
export function labelOf(block: unknown): string {
  if (!isRecord(block)) return "";
  const parts = [block.type, block.name, block.mimeType, block.uri].filter((part) => typeof part === "string");
  return parts.join(" · ");
}
