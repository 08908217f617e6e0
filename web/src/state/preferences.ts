import { TOUR } from "./tour";

export type Theme = "system" | "light" | "dark" | "contrast";
export const THEMES: readonly Theme[] = ["system", "light", "dark", "contrast"];

/** The shell reads these two before the first paint. */
const THEME_COOKIE = "drover_theme";
const LANGUAGE_COOKIE = "drover_lang";
const YEAR_S = 31_536_000;

export function readTheme(): Theme {
  const stored = readCookie(THEME_COOKIE);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

export function saveTheme(theme: Theme): void {
  writeCookie(THEME_COOKIE, theme);
  document.documentElement.dataset.theme = theme;
}

/** The chosen language's id, or null where the browser's counts. */
export function readLanguage(): string | null {
  return readCookie(LANGUAGE_COOKIE);
}

export function saveLanguage(language: string): void {
  writeCookie(LANGUAGE_COOKIE, language);
}

export type Density = "comfortable" | "compact";
export const DENSITIES: readonly Density[] = ["comfortable", "compact"];
const DENSITY = "drover:density";

export function readDensity(): Density {
  return localStorage.getItem(DENSITY) === "compact" ? "compact" : "comfortable";
}

export function saveDensity(density: Density): void {
  localStorage.setItem(DENSITY, density);
  document.documentElement.dataset.density = density;
}

export type EnterKey = "sends" | "breaks";
const ENTER = "drover:enter";

/** What Enter does in the composer. On touch keyboards it breaks the line unless chosen otherwise. */
export function readEnterKey(): EnterKey {
  const stored = localStorage.getItem(ENTER);
  if (stored === "sends" || stored === "breaks") return stored;
  return matchMedia("(pointer: coarse)").matches ? "breaks" : "sends";
}

export function saveEnterKey(enter: EnterKey): void {
  localStorage.setItem(ENTER, enter);
}

const SINGLE_KEYS = "drover:single-keys";

/** Whether keys without a modifier act outside of text fields. */
export const readSingleKeys = (): boolean => localStorage.getItem(SINGLE_KEYS) !== "off";
export const saveSingleKeys = (on: boolean): void => localStorage.setItem(SINGLE_KEYS, on ? "on" : "off");

const AGENT = "drover:agent";

/** The agent that was last written to, for new tasks. Tour does not count: it is for those who have no other. */
export const readLastAgent = (): string | null => localStorage.getItem(AGENT);
export function saveLastAgent(agent: string): void {
  if (agent !== TOUR) localStorage.setItem(AGENT, agent);
}

function readCookie(name: string): string | null {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null;
}

function writeCookie(name: string, value: string): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${YEAR_S}; SameSite=Strict`;
}
