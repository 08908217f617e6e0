/** The composer takes the focus; false where this page has none. */
export function focusComposer(): boolean {
  const box = document.querySelector<HTMLTextAreaElement>("textarea[data-composer]");
  box?.focus();
  return box !== null;
}

/**
 * What is about to go hands the focus on to the composer, if it has the focus or has lost it already. Not on a touch
 * screen, where a keyboard would come up unasked.
 */
export function handOnFocus(from: Element | null): void {
  const { activeElement } = document;
  const held = activeElement === document.body || from?.contains(activeElement);
  if (held && !matchMedia("(pointer: coarse)").matches) focusComposer();
}
