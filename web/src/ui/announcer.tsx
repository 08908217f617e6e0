import { useSyncExternalStore } from "react";

let sentence = "";
const listeners = new Set<() => void>();

/** Says a whole sentence to whoever listens instead of looking. */
export function announce(text: string): void {
  // The same sentence twice in a row is two announcements.
  sentence = text === sentence ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

/** The page's one polite live region. */
export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => sentence,
  );
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
