import { useRef, useState } from "react";
import { retryMessage } from "../../api/calls";
import { Unreachable } from "../../api/problem";
import type { Id } from "../../api/types";

export interface Retry {
  busy: boolean;
  error: unknown;
  retry(agent?: string): void;
}

/** Sets an answer aside and asks again. A second click, or one after a lost answer, does nothing more. */
export function useRetry(message: Id): Retry {
  const nonces = useRef(new Map<string, string>());
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const retry = (agent?: string) => {
    if (busy) return;
    const key = agent ?? "";
    const nonce = nonces.current.get(key) ?? crypto.randomUUID();
    nonces.current.set(key, nonce);
    setBusy(true);
    setError(null);
    retryMessage(message, nonce, agent)
      .catch((failure: unknown) => {
        if (!(failure instanceof Unreachable)) nonces.current.delete(key);
        setError(failure);
      })
      .finally(() => setBusy(false));
  };
  return { busy, error, retry };
}
