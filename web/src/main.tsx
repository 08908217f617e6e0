import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app";
import { taskOfPath } from "./app/routes";
import { Runtime } from "./app/runtime";
import { loadFirstView, prefetchViews } from "./app/views";
import { languageOf, startI18n } from "./i18n";
import { readDensity, readLanguage } from "./state/preferences";
import "./styles/main.css";

document.documentElement.dataset.density = readDensity();
const root = document.getElementById("root");
if (!root) throw new Error("the shell has no #root");

// The stream and the chat that is asked for are on their way while the words and the view are loaded. The shell has set the theme.
const runtime = new Runtime();
const task = taskOfPath(location.pathname);
if (task) runtime.openTask(task);
await Promise.all([startI18n(languageOf(readLanguage() ?? navigator.language)), loadFirstView()]);
createRoot(root).render(
  <StrictMode>
    <App runtime={runtime} />
  </StrictMode>,
);
afterPaint(() => {
  runtime.loadLists();
  prefetchViews();
});

/** Not before the first paint, which waits for nothing else. A hidden page paints nothing. */
function afterPaint(run: () => void): void {
  if (document.hidden) run();
  else requestAnimationFrame(() => setTimeout(run));
}
