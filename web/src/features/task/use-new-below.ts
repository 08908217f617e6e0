import { useState } from "react";
import type { Id } from "../../api/types";
import { useTopic } from "../../app/context";
import { countLines } from "../../markdown/segments";
import type { ChatState } from "../../state/apply";
import type { TaskStore } from "../../state/task-store";

export interface NewBelow {
  /** Messages that have come since. */
  messages: number;
  /** Lines that what was the last message has gained; each tool call or other part is one. */
  lines: number;
}

/** What there was when the reader left the end. */
interface Seen {
  last: Id | undefined;
  lengths: readonly number[];
}

/** How much has come at the end since this was first drawn. */
export function useNewBelow(store: TaskStore, settled: readonly Id[]): NewBelow {
  const [seen] = useState(() => seenNow(store.state, settled.at(-1)));
  const lines = useTopic(store, "content", ({ state }) => gainedLines(state, seen));
  const place = seen.last === undefined ? -1 : settled.lastIndexOf(seen.last);
  return { messages: settled.length - 1 - place, lines };
}

function seenNow(state: ChatState | null, last: Id | undefined): Seen {
  const parts = last === undefined ? [] : (state?.entries.get(last)?.parts ?? []);
  return { last, lengths: parts.map((part) => ("text" in part ? (part.text?.length ?? 0) : 0)) };
}

function gainedLines(state: ChatState | null, { last, lengths }: Seen): number {
  const parts = last === undefined ? [] : (state?.entries.get(last)?.parts ?? []);
  return parts.reduce((sum, part, index) => {
    if ("text" in part && part.text !== null) return sum + countLines(part.text.slice(lengths[index] ?? 0));
    return index < lengths.length ? sum : sum + 1;
  }, 0);
}
