import { Hub } from "./hub";
import type { TabMessage } from "./protocol";
import { browserOutside } from "./stream";

const hub = new Hub(browserOutside);
const scope = self as unknown as { onconnect: (event: MessageEvent) => void };

scope.onconnect = (event) => {
  const port = event.ports[0];
  if (!port) return;
  port.onmessage = (message: MessageEvent<TabMessage>) => hub.receive(port, message.data);
  hub.start();
};
