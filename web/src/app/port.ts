import workerUrl from "../worker/shared?sharedworker&url";
import type { HubMessage } from "../worker/protocol";
import type { TabPort } from "../worker/tab";

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

/** The way to the event stream, and whether the page itself holds it. */
export interface StreamPort {
  port: TabPort;
  /** The hub inside this page, where there is no SharedWorker: its stream is open only while the page is visible. */
  own: { start(): void; pause(): void } | null;
}

/** A port to the browser's SharedWorker, or to a hub of this page where that cannot be had. */
export function openPort(onBroken: () => void): StreamPort {
  if (typeof SharedWorker === "undefined") return ownHub();
  try {
    const worker = new SharedWorker(trusted(workerUrl), { type: "module", name: "drover" });
    worker.onerror = onBroken;
    worker.port.start();
    return { port: worker.port, own: null };
  } catch {
    return ownHub();
  }
}

/** The same hub and the same words, through a channel of this page. It is fetched only where it is needed. */
export function ownHub(): StreamPort {
  const channel = new MessageChannel();
  const hub = import("./own-hub").then(({ hubAt }) => hubAt(channel.port1));
  const tabSide: TabPort = {
    onmessage: null,
    postMessage: (message) => channel.port2.postMessage(message),
  };
  channel.port2.onmessage = (event: MessageEvent<HubMessage>) => tabSide.onmessage?.(event);
  const own = { start: () => void hub.then((each) => each.start()), pause: () => void hub.then((each) => each.pause()) };
  return { port: tabSide, own };
}

/** A worker's address must be trusted under our policy: only this origin's own built files are. */
function trusted(url: string): string {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  const policy = types?.createPolicy("app-worker", {
    createScriptURL: (wanted) => {
      const resolved = new URL(wanted, location.href);
      if (resolved.origin === location.origin && resolved.pathname.startsWith("/assets/")) return resolved.href;
      throw new TypeError(`not a worker of this page: ${resolved.pathname}`);
    },
  });
  return policy ? policy.createScriptURL(url) : url;
}
