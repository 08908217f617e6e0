import { getChat, PAGE } from "./calls";
import type { Chat, Id } from "./types";

/** The first page of the chat that the address names, asked for before there is a page to show it. */
let early: { task: Id; answer: Promise<Chat> } | null = null;

export function fetchEarlyChat(task: Id): void {
  const answer = getChat(task, { limit: PAGE });
  // A failure is told to whoever takes it.
  answer.catch(() => {});
  early = { task, answer };
}

/** The answer, to the first who wants just that. */
export function takeEarlyChat(task: Id, page: { before?: number; limit: number }): Promise<Chat> | null {
  const known = early;
  if (known?.task !== task || page.before !== undefined || page.limit !== PAGE) return null;
  early = null;
  return known.answer;
}
