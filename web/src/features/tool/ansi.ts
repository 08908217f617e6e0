import Anser from "anser";

/** A line of terminal output. `carried` is what an earlier line has switched on. */
export interface TerminalLine {
  text: string;
  carried: string;
}

/** A line longer than this is shown in pieces. */
const LONGEST = 2_000;
/** Codes that are carried on, at most: a program that never resets adds one with every word. */
const CARRIED = 12;

// oxlint-disable-next-line no-control-regex -- terminal codes begin with a control character
const COLOUR = /\u001b\[[0-9;:]*m/g;
// oxlint-disable-next-line no-control-regex -- every code that is not a colour: cursor, titles, links
const OTHER = /\u001b(?:\[[0-9:;<=>?]*[ -/]*[@-ln-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ -/]*[0-Z\\^-~])/g;
// oxlint-disable-next-line no-control-regex -- a code that resets all
const RESET = /^\u001b\[0*m$/;

/** Output as lines, without what moves a cursor or makes a link. A line that was written over shows what it became. */
export function terminalLines(text: string): TerminalLine[] {
  const clean = text.includes("\u001b") ? text.replace(OTHER, "") : text;
  const lines = clean.replace(/\r+\n/g, "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  let carried: string[] = [];
  return lines.flatMap((line) => {
    const shown = line.includes("\r") ? line.slice(line.lastIndexOf("\r", line.length - 2) + 1).replace(/\r$/, "") : line;
    const first = carried.join("");
    carried = carriedAfter(carried, line);
    return piecesOf(shown).map((piece) => ({ text: piece, carried: first }));
  });
}

function carriedAfter(before: string[], line: string): string[] {
  const codes = line.includes("\u001b") ? line.match(COLOUR) : null;
  if (!codes) return before;
  const all = [...before, ...codes];
  return all.slice(all.findLastIndex((code) => RESET.test(code)) + 1).slice(-CARRIED);
}

function piecesOf(line: string): string[] {
  if (line.length <= LONGEST) return [line];
  return Array.from({ length: Math.ceil(line.length / LONGEST) }, (_, index) => line.slice(index * LONGEST, (index + 1) * LONGEST));
}

/** A stretch of a line that looks alike. `colour` is one of the style sheet's sixteen, or a colour of its own. */
export interface Stretch {
  text: string;
  classes: string;
  own: string | null;
}

/** A line's stretches. Only what is seen is asked for: this is where the time goes. */
export function stretchesOf({ text, carried }: TerminalLine): Stretch[] {
  if (carried === "" && !text.includes("\u001b")) return [{ text, classes: "", own: null }];
  return Anser.ansiToJson(carried + text, { use_classes: true, remove_empty: true }).map((entry) => {
    const named = /^ansi-(?!truecolor|palette)/.test(entry.fg ?? "") ? entry.fg : "";
    const own = entry.fg === "ansi-truecolor" ? entry.fg_truecolor : null;
    const looks = entry.decorations.filter((each) => each === "bold" || each === "dim" || each === "italic" || each === "underline");
    return { text: entry.content, classes: [named, ...looks.map((each) => `term-${each}`)].filter(Boolean).join(" "), own };
  });
}
