import "./api/early-key";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app";
import { Runtime } from "./app/runtime";
import { prefetchViews } from "./app/views";
import { languageOf, startI18n } from "./i18n";
import { readDensity, readLanguage, readTheme } from "./state/preferences";
import "./styles/main.css";

document.documentElement.dataset.theme = readTheme();
document.documentElement.dataset.density = readDensity();
const root = document.getElementById("root");
if (!root) throw new Error("the shell has no #root");

// The stream, the lists and the chat that is asked for are on their way while the words are loaded.
const runtime = new Runtime();
const task = /\/t\/([^/]+)$/.exec(location.pathname)?.[1];
if (task) runtime.openTask(decodeURIComponent(task));
prefetchViews();
await startI18n(languageOf(readLanguage() ?? navigator.language));
createRoot(root).render(
  <StrictMode>
    <App runtime={runtime} />
  </StrictMode>,
);
