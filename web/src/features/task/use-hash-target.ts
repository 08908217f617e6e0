import { useEffect, useState } from "react";
import type { Id } from "../../api/types";
import type { TaskStore } from "../../state/task-store";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/** Shows the message that the address names, loading older ones until it is there. True while it is looked for. */
export function useHashTarget(store: TaskStore, ready: boolean, show: (id: Id) => void): boolean {
  const [wanted, setWanted] = useState(() => location.hash.slice(1));
  const [looking, setLooking] = useState(false);
  useEffect(() => {
    const changed = () => setWanted(location.hash.slice(1));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  useEffect(() => {
    if (!ready || !ULID.test(wanted)) return;
    let left = false;
    const found = () => {
      setLooking(false);
      if (!left && store.state?.entries.has(wanted)) show(wanted);
    };
    if (store.state?.entries.has(wanted)) found();
    else {
      setLooking(true);
      // What cannot be found leaves the reader at the end, where every chat opens.
      store.loadBackTo(wanted).then(found, found);
    }
    return () => {
      left = true;
    };
  }, [store, ready, wanted, show]);
  return looking;
}
