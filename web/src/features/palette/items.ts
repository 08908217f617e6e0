import type { Task } from "../../api/types";

/** One thing that can be chosen. */
export interface Item {
  id: string;
  label: string;
  /** A second, quieter word, such as the project of a task. */
  note?: string | undefined;
  /** What else it may be found by. */
  also?: string;
  task?: Task;
  chord?: string;
  /** Listed only when looked for. */
  quiet?: boolean;
  run(): void;
}

export interface ItemGroup {
  id: "actions" | "tasks" | "projects" | "found";
  label: string;
  items: Item[];
}

/** How many of a group are listed at most: more is for typing, not for scrolling. */
const MOST = { browsing: 6, searching: 20 };

/** Groups with what holds every word of the query, what begins with it first. */
export function search(groups: readonly ItemGroup[], query: string): ItemGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const limit = words.length > 0 ? MOST.searching : MOST.browsing;
  return groups
    .map((group) => {
      const items = group.items
        .map((item) => ({ item, rank: rankOf(item, words) }))
        .filter(({ item, rank }) => rank >= 0 && (words.length > 0 || !item.quiet))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ item }) => item);
      return { ...group, items: group.id === "actions" && words.length === 0 ? items : items.slice(0, limit) };
    })
    .filter(({ items }) => items.length > 0);
}

/** 0: the label begins with the first word; 1: a word of it does; 2: it holds it; -1: something is missing. */
function rankOf({ label, note, also }: Item, words: readonly string[]): number {
  const name = label.toLowerCase();
  const all = `${name} ${note ?? ""} ${also ?? ""}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return -1;
  const first = words[0];
  if (first === undefined || name.startsWith(first)) return 0;
  return name.includes(` ${first}`) ? 1 : 2;
}
