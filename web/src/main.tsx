import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app";
import { Runtime } from "./app/runtime";
import { prefetchViews } from "./app/views";
import { languageOf, startI18n } from "./i18n";
import { readLanguage, readTheme } from "./state/preferences";
import "./styles/main.css";

document.documentElement.dataset.theme = readTheme();
const root = document.getElementById("root");
if (!root) throw new Error("the shell has no #root");

// The stream and the lists are on their way while the words are loaded.
const runtime = new Runtime();
prefetchViews();
await startI18n(languageOf(readLanguage() ?? navigator.language));
createRoot(root).render(
  <StrictMode>
    <App runtime={runtime} />
  </StrictMode>,
);
