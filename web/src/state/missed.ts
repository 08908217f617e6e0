import type { ChatState } from "./apply";

/** How many settled messages of the chat an agent's session has not seen; of the loaded window only. */
export function missedBy(state: ChatState | null, agent: string): number {
  if (!state) return 0;
  const seen = state.links.get(agent)?.seen_ordinal ?? 0;
  let missed = 0;
  for (const { head } of state.entries.values()) {
    if (head.ordinal > seen && head.status !== "queued" && head.status !== "streaming") missed += 1;
  }
  return missed;
}
