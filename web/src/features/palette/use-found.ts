import { useEffect, useState } from "react";
import { listTasks } from "../../api/calls";
import type { Task } from "../../api/types";

const PAUSE_MS = 150;
/** One letter finds everything. */
const SHORTEST = 2;
const MOST = 20;

export interface Found {
  /** What was looked for. */
  query: string;
  tasks: readonly Task[];
  error: unknown;
}

/** Tasks whose title or messages hold the query, as the daemon finds them; null while it looks or need not. */
export function useFound(typed: string): Found | null {
  const query = typed.trim();
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if ([...query].length < SHORTEST) return;
    let current = true;
    const keep = (tasks: readonly Task[], error: unknown) => current && setFound({ query, tasks, error });
    const timer = setTimeout(() => {
      listTasks({ q: query, limit: MOST }).then(
        ({ tasks }) => keep(tasks, null),
        (error: unknown) => keep([], error),
      );
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query]);
  return found?.query === query ? found : null;
}
