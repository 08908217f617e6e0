import { Hub } from "../worker/hub";
import type { TabMessage } from "../worker/protocol";
import { browserOutside } from "../worker/stream";

/** The hub of a page that has no SharedWorker, listening at one end of a channel. */
export function hubAt(port: MessagePort): Hub {
  const hub = new Hub(browserOutside);
  port.onmessage = ({ data }: MessageEvent<TabMessage>) => hub.receive(port, data);
  return hub;
}
