import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { Id } from "../api/types";
import type { ChatState } from "../state/apply";
import type { Overview } from "../state/overview";
import type { TaskStore, Topic } from "../state/task-store";
import type { Connection, Runtime } from "./runtime";

const RuntimeContext = createContext<Runtime | null>(null);
export const RuntimeProvider = RuntimeContext.Provider;

export function useRuntime(): Runtime {
  const runtime = useContext(RuntimeContext);
  if (!runtime) throw new Error("no RuntimeProvider above");
  return runtime;
}

export function useConnection(): Connection {
  const runtime = useRuntime();
  return useSyncExternalStore(runtime.subscribeConnection, runtime.getConnection);
}

export function useOverview(): Overview {
  const { overview } = useRuntime();
  return useSyncExternalStore(overview.subscribe, overview.get);
}

/** The catalogue alone: it stays the same object while only tasks and projects change. */
export function useAgents(): Overview["agents"] {
  const { overview } = useRuntime();
  return useSyncExternalStore(overview.subscribe, () => overview.get().agents);
}

export function useOverviewError(): unknown {
  const { overview } = useRuntime();
  return useSyncExternalStore(overview.subscribe, overview.getError);
}

/** The store of a task for as long as it is shown. */
export function useTaskStore(task: Id): TaskStore | null {
  const runtime = useRuntime();
  // The store of the address that the page began at is open already, and may hold its chat.
  const [store, setStore] = useState(() => runtime.opened(task));
  useEffect(() => {
    const opened = runtime.openTask(task);
    setStore(opened);
    return () => runtime.closeTask(opened);
  }, [runtime, task]);
  return store?.task === task ? store : null;
}

/** A value of a task's store, read anew only when its topic changes. */
export function useTopic<T>(store: TaskStore, topic: Topic, read: (store: TaskStore) => T): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe(topic, listener), [store, topic]);
  return useSyncExternalStore(subscribe, () => read(store));
}

export function useChat<K extends keyof ChatState & Topic>(store: TaskStore, topic: K): ChatState[K] | undefined {
  return useTopic(store, topic, ({ state }) => state?.[topic]);
}
