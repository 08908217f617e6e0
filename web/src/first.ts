// The shell runs this before the page: it is small, and what it asks for comes while the rest is still being made ready.
import { fetchEarlyChat } from "./api/early-chat";
import { readKey } from "./api/key";
import { taskOfPath } from "./app/routes";

// Every call waits for the key. A failure is told to whoever asks for it next.
readKey().catch(() => {});
const task = taskOfPath(location.pathname);
if (task) fetchEarlyChat(task);
