import "@xterm/xterm/css/xterm.css";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal as Xterm } from "@xterm/xterm";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { followLogin, setLoginSize, typeIntoLogin } from "../../api/calls";

/** The terminal of a login. Ctrl+Shift+Escape leaves it, because Tab and Escape belong to the program in it. */
export default function Terminal({ agent, label }: { agent: string; label: string }) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const leave = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!place.current) return;
    return attach(place.current, agent, () => leave.current?.focus());
  }, [agent]);
  return (
    <>
      <div ref={place} role="group" aria-label={label} className="h-80 overflow-hidden rounded-md border border-line bg-fill p-2" />
      <p ref={leave} tabIndex={-1} className="text-xs text-muted">
        {t("login.leave")}
      </p>
    </>
  );
}

function attach(place: HTMLElement, agent: string, onLeave: () => void): () => void {
  const terminal = new Xterm({ fontSize: 13, fontFamily: "ui-monospace, monospace", theme: themeOf(place), screenReaderMode: true });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  openWithoutStyles(terminal, place);
  const styles = adoptStyles(place);
  const gone = new AbortController();
  const typed = serially((data: string) => typeIntoLogin(agent, data));
  terminal.onData(typed);
  terminal.onResize(({ rows, cols }) => void setLoginSize(agent, rows, cols).catch(ignore));
  terminal.attachCustomKeyEventHandler((event) => {
    if (!(event.key === "Escape" && event.ctrlKey && event.shiftKey)) return true;
    // Whatever the terminal stands in must not take it for an Escape of its own.
    event.preventDefault();
    event.stopPropagation();
    if (event.type === "keydown") onLeave();
    return false;
  });
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(place);
  const looks = new MutationObserver(() => {
    terminal.options.theme = themeOf(place);
  });
  looks.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
  void setLoginSize(agent, terminal.rows, terminal.cols).catch(ignore);
  void followLogin(agent, (bytes) => terminal.write(bytes), gone.signal).catch(ignore);
  terminal.focus();
  return () => {
    gone.abort();
    observer.disconnect();
    looks.disconnect();
    styles();
    terminal.dispose();
  };
}

/** What became of the login is told with the agent. */
function ignore(): void {}

/** One call after the other, what came meanwhile in one: keys keep their order. */
function serially(call: (data: string) => Promise<unknown>): (data: string) => void {
  let waiting = "";
  let busy = false;
  const next = async () => {
    if (busy || waiting === "") return;
    const data = waiting;
    waiting = "";
    busy = true;
    await call(data).catch(ignore);
    busy = false;
    void next();
  };
  return (data) => {
    waiting += data;
    void next();
  };
}

function themeOf(place: HTMLElement) {
  const { color, backgroundColor } = getComputedStyle(place);
  return { foreground: color, background: backgroundColor, cursor: color, selectionBackground: "#8888" };
}

/**
 * Opens the terminal while the document makes hidden spans of style elements: the terminal writes rules into some, which the page's
 * policy does not take, and it makes all of them here.
 */
function openWithoutStyles(terminal: Xterm, place: HTMLElement): void {
  const createElement = document.createElement.bind(document);
  const value = (name: string) => {
    if (name !== "style") return createElement(name);
    const rules = createElement("span");
    rules.hidden = true;
    rules.dataset.rules = "";
    return rules;
  };
  Object.defineProperty(document, "createElement", { configurable: true, value });
  try {
    terminal.open(place);
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}

/** Adopts the rules that the terminal wrote. */
function adoptStyles(place: HTMLElement): () => void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let last = "";
  const copy = () => {
    const rules = [...place.querySelectorAll("[data-rules]")].map((style) => style.textContent).join("\n");
    if (rules !== last) sheet.replaceSync((last = rules));
  };
  const observer = new MutationObserver(copy);
  observer.observe(place, { childList: true, subtree: true, characterData: true });
  copy();
  return () => {
    observer.disconnect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  };
}
