import workerUrl from "../worker/shared?sharedworker&url";
import type { HubMessage } from "../worker/protocol";
import type { TabPort } from "../worker/tab";
import { trusted } from "../worker/trusted";

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
