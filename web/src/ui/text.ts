/** Everything that hides or reorders what is read: bidi controls, zero-width and other control characters. */
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The text with its hidden characters spelled out, so that a command cannot look like another one. */
export function reveal(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

// oxlint-disable-next-line no-control-regex -- terminal codes begin with a control character
const ANSI = /\u001b(?:\[[0-9:;<=>?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ -/]*[0-~])/g;

/** Terminal output without its colour, cursor and link codes. */
export function stripTerminalCodes(text: string): string {
  return text.includes("\u001b") ? text.replace(ANSI, "") : text;
}

/** One line for lists and titles. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A value as a person reads it: strings as they are, the rest as indented JSON. */
export function readable(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}
