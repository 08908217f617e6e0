import type { Part, ToolCallPart } from "../../api/types";

/** A part by itself, or calls in a row that nobody has to look at, with the thoughts between them. Both ends count. */
export type Row = { kind: "part"; index: number } | { kind: "quiet"; from: number; to: number };

/** The kinds of calls that only look, or say all in their result; what changes files is always a line of its own. */
const QUIET_KINDS = ["read", "search", "execute", "fetch", "think", "other"] as const;
export type QuietKind = (typeof QUIET_KINDS)[number];

/**
 * The kind under which a call is folded, or null where it is to be seen. One under way folds too while its turn is `live`;
 * after that it is one that never ended.
 */
export function quietKind(part: Part | undefined, live: boolean): QuietKind | null {
  if (part?.type !== "tool_call" || part.unknown_outcome) return null;
  const status = part.status ?? "pending";
  const isUnderWay = status === "in_progress" || status === "pending";
  if (status !== "completed" && !(live && isUnderWay)) return null;
  if (hasDiff(part)) return null;
  return QUIET_KINDS.find((kind) => kind === (part.kind ?? "other")) ?? null;
}

function hasDiff({ content }: ToolCallPart): boolean {
  return Array.isArray(content) && content.some((item) => typeof item === "object" && item !== null && "type" in item && item.type === "diff");
}

/** The parts of a message as rows. Two quiet calls make a run; a thought at its border stays outside. */
export function rowsOf(parts: readonly Part[], live: boolean): Row[] {
  const rows: Row[] = [];
  for (let index = 0; index < parts.length; ) {
    const to = endOfRun(parts, index, live);
    if (to > index) rows.push({ kind: "quiet", from: index, to });
    else rows.push({ kind: "part", index });
    index = Math.max(to, index) + 1;
  }
  return rows;
}

/** The last call of the run that begins at `from`; `from` itself where there is none. */
function endOfRun(parts: readonly Part[], from: number, live: boolean): number {
  let end = from;
  for (let index = from; index < parts.length; index += 1) {
    const part = parts[index];
    const isCall = quietKind(part, live) !== null;
    if (isCall) end = index;
    else if (part?.type !== "thought" || index === from) break;
  }
  return quietKind(parts[from], live) === null ? from : end;
}

/** How many calls of each kind there are, in the order in which the kinds first came. */
export function countKinds(parts: readonly Part[], from: number, to: number): [QuietKind, number][] {
  const counts = new Map<QuietKind, number>();
  for (const part of parts.slice(from, to + 1)) {
    const kind = quietKind(part, true);
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts];
}
