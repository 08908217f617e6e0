// The page begins here: this is small, and what it asks for comes while the rest is being made ready.
import { fetchEarlyChat } from "./api/early-chat";
import { readKey } from "./api/key";
import { taskOfPath } from "./app/routes";

const task = taskOfPath(location.pathname);
// Every call waits for the key. To start the rest takes the browser so long that a key that came meanwhile would have to wait.
const key = readKey();
if (task) {
  fetchEarlyChat(task);
  // The first date that is written costs the browser as much as a hundred messages: it reads its tables now, while it waits.
  new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" }).format();
}
// The shell has named the rest: it is here already.
void key.catch(() => {}).then(() => import("./main"));
