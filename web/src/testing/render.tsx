import type { ReactNode } from "react";
import { render } from "vitest-browser-react";
import { changeLanguage, startI18n } from "../i18n";
import "../styles/main.css";

let started: Promise<void> | undefined;

/** Renders with the words of a language, as the page does. */
export async function show(element: ReactNode, language: "en" | "zh" = "en") {
  started ??= startI18n(language);
  await started;
  await changeLanguage(language);
  return render(element);
}
