import { readKey } from "./key";

// Every call waits for it: it is read while the rest of the page is still being made ready. A failure is told to whoever
// asks for it next.
readKey().catch(() => {});
