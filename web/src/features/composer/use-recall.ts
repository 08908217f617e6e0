import { type KeyboardEvent, useRef } from "react";
import type { ChatState } from "../../state/apply";

/** The texts that the person sent in this task, newest first, each once. */
export function sentTexts(state: ChatState | null): string[] {
  const texts = new Set<string>();
  for (const id of state?.order.toReversed() ?? []) {
    const entry = state?.entries.get(id);
    if (entry?.head.role !== "user") continue;
    const text = entry.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n").trimEnd();
    if (text !== "") texts.add(text);
  }
  return [...texts];
}

interface Recall {
  /** Handles a key that goes through earlier messages. False: it belongs to the text. */
  press(event: KeyboardEvent, text: string, change: (text: string) => void): boolean;
}

/** ↑ in an empty composer brings earlier messages back, ↓ and Escape lead out again. A text of one's own is never replaced. */
export function useRecall(earlier: () => string[]): Recall {
  const recalled = useRef<{ texts: string[]; at: number } | null>(null);
  const press: Recall["press"] = (event, text, change) => {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const shown = recalled.current;
    if (shown && text !== shown.texts[shown.at]) recalled.current = null;
    const now = recalled.current;
    const goTo = (texts: string[], at: number) => {
      recalled.current = at < 0 ? null : { texts, at };
      change(at < 0 ? "" : (texts[at] ?? ""));
      event.preventDefault();
      return true;
    };
    if (event.key === "ArrowUp" && !now && text === "") {
      const texts = earlier();
      return texts.length > 0 && goTo(texts, 0);
    }
    if (!now) return false;
    if (event.key === "ArrowUp") return goTo(now.texts, Math.min(now.at + 1, now.texts.length - 1));
    if (event.key === "ArrowDown") return goTo(now.texts, now.at - 1);
    if (event.key === "Escape") return goTo(now.texts, -1);
    return false;
  };
  return { press };
}
