import { useEffect, useLayoutEffect, useRef } from "react";
import { actionOf, apple, type KeyAction, type KeyHandler, KeyRegistry } from "../state/keys";
import { readSingleKeys } from "../state/preferences";

const registry = new KeyRegistry();

const TYPING = "input:not([type=radio], [type=checkbox], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false])";
const COVER = "[role=dialog], [role=alertdialog], [role=menu]";

/**
 * Acts on keys for as long as the component is shown: `useKeys({ stop: () => … })`. A handler that returns false leaves
 * the key to whoever registered before. Keys never act while text is typed, an input method composes or a dialog is open.
 */
export function useKeys(handlers: Partial<Record<KeyAction, KeyHandler>>): void {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  const actions = Object.keys(handlers).toSorted().join();
  useEffect(() => {
    const names = actions.split(",") as KeyAction[];
    const leave = names.map((action) => registry.register(action, () => latest.current[action]?.()));
    return () => leave.forEach((each) => each());
  }, [actions]);
}

/** Does what a key would do: for menus and the palette. */
export const runKey = (action: KeyAction): boolean => registry.run(action);

/** Listens for the whole page; once, in the frame. */
export function useKeyListener(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      const action = actionOf(event, {
        typing: target?.closest(TYPING) != null,
        covered: document.querySelector(COVER) !== null,
        apple,
        singleKeys: readSingleKeys(),
      });
      if (action !== null && registry.run(action)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
