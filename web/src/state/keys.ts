/** Every act that has a key of its own. One table, so that no two acts can want the same key. */
export const KEYS = {
  palette: "mod+k",
  help: "?",
  newTask: "n",
  compose: "c",
  nextTurn: "j",
  previousTurn: "k",
  edit: "e",
  retry: "r",
  stop: ".",
  nextQuestion: "a",
} as const;

export type KeyAction = keyof typeof KEYS;

/** Acts that may be held down. */
const REPEATABLE: ReadonlySet<KeyAction> = new Set(["nextTurn", "previousTurn"]);

/** What is needed of a `KeyboardEvent`. */
export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  repeat: boolean;
  isComposing: boolean;
  keyCode: number;
}

/** Where a key was pressed. */
export interface KeyPlace {
  /** In something that takes text. */
  typing: boolean;
  /** While a dialog or a menu lies over the page. */
  covered: boolean;
  /** On a system whose shortcuts use ⌘. */
  apple: boolean;
  /** Whether keys without a modifier act at all (WCAG 2.1.4: they can be turned off). */
  singleKeys: boolean;
}

/** Returns false where there was nothing to do, so that a handler registered earlier gets its turn. */
export type KeyHandler = () => boolean | void;

/** An input method owns this key: 229 is what browsers say that tell nothing else. */
const isComposing = (press: KeyPress): boolean => press.isComposing || press.keyCode === 229;

/** The act that a key press asks for in that place, or null. */
export function actionOf(press: KeyPress, place: KeyPlace): KeyAction | null {
  if (isComposing(press) || place.covered || press.altKey) return null;
  const modified = place.apple ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  const plain = !press.ctrlKey && !press.metaKey;
  if (plain && (place.typing || !place.singleKeys)) return null;
  const chord = modified ? `mod+${letterOf(press)}` : plain ? letterOf(press) : null;
  const found = (Object.keys(KEYS) as KeyAction[]).find((action) => KEYS[action] === chord);
  return found && (!press.repeat || REPEATABLE.has(found)) ? found : null;
}

/** The character; on a layout without Latin letters, the one that a Latin keyboard has in that place. */
function letterOf({ key, code, shiftKey }: KeyPress): string {
  if (/^[a-z]$/i.test(key)) return shiftKey ? "" : key.toLowerCase();
  // oxlint-disable-next-line no-control-regex -- everything that is not ASCII
  if (/^[^\u0000-\u007f]$/.test(key) && /^Key[A-Z]$/.test(code)) return shiftKey ? "" : code.slice(3).toLowerCase();
  return key;
}

/** Who does what on which act. The one registered last is asked first. */
export class KeyRegistry {
  readonly #handlers = new Map<KeyAction, KeyHandler[]>();

  register(action: KeyAction, handler: KeyHandler): () => void {
    this.#handlers.set(action, [handler, ...(this.#handlers.get(action) ?? [])]);
    return () => {
      this.#handlers.set(action, (this.#handlers.get(action) ?? []).filter((each) => each !== handler));
    };
  }

  /** Does the act; false where nobody would. */
  run(action: KeyAction): boolean {
    return (this.#handlers.get(action) ?? []).some((handler) => handler() !== false);
  }
}

/** Whether this system's shortcuts use ⌘. */
export const apple: boolean = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? "");

/** The keys of a chord as they are printed on that system's keyboards. */
export function keyCaps(chord: string, onApple: boolean): string[] {
  return chord.split("+").map((part) => {
    if (part === "mod") return onApple ? "⌘" : "Ctrl";
    if (part === "shift") return onApple ? "⇧" : "Shift";
    if (part === "alt") return onApple ? "⌥" : "Alt";
    return part.length === 1 ? part.toUpperCase() : part;
  });
}
