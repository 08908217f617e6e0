/** The classes of coloured code, as the style sheet has them. A run without a class has number 0. */
export const CLASSES = ["", "keyword", "string", "number", "comment", "title", "type", "attribute", "variable", "meta", "added", "removed", "strong"] as const;

type Class = (typeof CLASSES)[number];

/** What highlight.js calls a piece of code, by its first word. */
const CLASS_OF: Readonly<Record<string, Class>> = {
  keyword: "keyword",
  operator: "",
  literal: "number",
  number: "number",
  symbol: "number",
  string: "string",
  regexp: "string",
  char: "string",
  link: "string",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  title: "title",
  section: "title",
  name: "keyword",
  "selector-tag": "keyword",
  "selector-id": "title",
  "selector-class": "title",
  "selector-attr": "attribute",
  "selector-pseudo": "attribute",
  type: "type",
  class: "type",
  built_in: "type",
  attr: "attribute",
  attribute: "attribute",
  property: "attribute",
  variable: "variable",
  "template-variable": "variable",
  "template-tag": "meta",
  meta: "meta",
  tag: "",
  addition: "added",
  deletion: "removed",
  bullet: "keyword",
  code: "string",
  strong: "strong",
  emphasis: "",
};

/** Pairs of a length in UTF-16 units and the number of a class. Together they cover the code. */
export type Runs = Uint32Array;

/** Takes what highlight.js finds and keeps it as runs: no tree, no HTML. */
export class RunEmitter {
  readonly #open: number[] = [];
  readonly #runs: number[] = [];

  startScope(scope: string): void {
    const inherited = this.#open.at(-1) ?? 0;
    const found = CLASS_OF[scope.split(".", 1)[0] ?? ""];
    this.#open.push(found === undefined ? inherited : CLASSES.indexOf(found));
  }
  endScope(): void {
    this.#open.pop();
  }
  /** As some of its paths still call the two above. */
  openNode(scope: string): void {
    this.startScope(scope);
  }
  closeNode(): void {
    this.endScope();
  }

  addText(text: string): void {
    this.#add(text.length, this.#open.at(-1) ?? 0);
  }

  __addSublanguage(inner: RunEmitter): void {
    const runs = inner.#runs;
    for (let at = 0; at < runs.length; at += 2) this.#add(runs[at] ?? 0, runs[at + 1] ?? 0);
  }

  finalize(): void {}
  toHTML(): string {
    return "";
  }

  runs(): Runs {
    return Uint32Array.from(this.#runs);
  }

  #add(length: number, number: number): void {
    if (length === 0) return;
    const last = this.#runs.length - 2;
    if (last >= 0 && this.#runs[last + 1] === number) this.#runs[last] = (this.#runs[last] ?? 0) + length;
    else this.#runs.push(length, number);
  }
}

/** A piece of code and the class it has. */
export interface Piece {
  text: string;
  className: string;
}

/** The pieces of the part of `code` from `start` to `end`. */
export function piecesOf(code: string, runs: Runs, start: number, end: number): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (let index = 0; index < runs.length && at < end; index += 2) {
    const from = Math.max(at, start);
    at += runs[index] ?? 0;
    const name = CLASSES[runs[index + 1] ?? 0];
    if (at > start) pieces.push({ text: code.slice(from, Math.min(at, end)), className: name ? `hl-${name}` : "" });
  }
  return pieces;
}
