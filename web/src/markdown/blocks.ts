import { Lexer, type Token, type Tokens } from "marked";

/** One top-level block of a text. Two blocks with the same `raw` and `open` look the same. */
export interface Block {
  /** Where the block begins in the text; its key among its siblings. */
  readonly start: number;
  readonly raw: string;
  readonly token: Token;
  /** A code fence that has not been closed yet. */
  readonly open: boolean;
}

/** Blocks that will not change any more are handed out in groups of this many, each group keeping its identity. */
export const GROUP = 32;
/** Inline marks are looked for in runs up to this many characters; longer ones are shown as they are. */
const INLINE_LIMIT = 12_000;

/** Quotes in quotes beyond reason would cost a stack frame each. */
const TOO_DEEP = /^(?: ?>){64}/m;

const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*\n)|~{3,})([^\n]*)\n/;

/**
 * The blocks of a text that grows at its end. Only the last block is ever read anew; whatever stands before it is
 * frozen. When the text is done it is read once as a whole, so that what later text defines (link references) counts.
 */
export class BlockStream {
  #text = "";
  #done = false;
  #groups: Block[][] = [];
  #tail: Block[] = [];
  #tailStart = 0;
  #links: Lexer["tokens"]["links"] = {};

  /** The groups of blocks of `text`. Calling it again with the same arguments changes nothing. */
  update(text: string, done: boolean): readonly (readonly Block[])[] {
    const clean = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    if (clean !== this.#text || done !== this.#done) {
      const grows = !done && !this.#done && clean.startsWith(this.#text);
      if (!grows) this.#reset();
      this.#text = clean;
      this.#done = done;
      this.#readTail();
    }
    return this.#tail.length > 0 ? [...this.#groups, this.#tail] : this.#groups;
  }

  #reset(): void {
    this.#groups = [];
    this.#tail = [];
    this.#tailStart = 0;
    this.#links = {};
  }

  #readTail(): void {
    const source = this.#text.slice(this.#tailStart);
    const open = this.#done ? null : openFence(source, this.#tailStart);
    const blocks = open ? [open] : readBlocks(source, this.#tailStart, this.#links);
    const last = blocks.findLastIndex((block) => block.token.type !== "space");
    const settled = this.#done ? blocks.length : Math.max(0, last);
    for (const block of blocks.slice(0, settled)) this.#freeze(block);
    this.#tail = blocks.slice(settled);
    const first = this.#tail[0];
    if (first) this.#tailStart = first.start;
  }

  #freeze(block: Block): void {
    const group = this.#groups.at(-1);
    if (group && group.length < GROUP) this.#groups[this.#groups.length - 1] = [...group, block];
    else this.#groups.push([block]);
  }
}

function openFence(source: string, start: number): Block | null {
  const blank = /^\n*/.exec(source)?.[0].length ?? 0;
  const raw = source.slice(blank);
  const fence = FENCE.exec(raw);
  if (!fence?.[1]) return null;
  const mark = fence[1];
  const text = raw.slice(fence[0].length);
  const close = new RegExp(`(?:^|\\n) {0,3}${mark[0]}{${mark.length},}[ \\t]*(?:\\n|$)`);
  if (close.test(text)) return null;
  const token: Tokens.Code = { type: "code", raw, lang: fence[2]?.trim() ?? "", text };
  return { start: start + blank, raw, token, open: true };
}

function readBlocks(source: string, start: number, links: Lexer["tokens"]["links"]): Block[] {
  if (source === "") return [];
  if (TOO_DEEP.test(source)) return [{ start, raw: source, token: plain(source), open: false }];
  try {
    const lexer = new Lexer({ gfm: true });
    Object.assign(lexer.tokens.links, links);
    lexer.blockTokens(source, lexer.tokens);
    for (const { src, tokens } of lexer.inlineQueue) readInline(lexer, src, tokens);
    Object.assign(links, lexer.tokens.links);
    let at = start;
    const blocks = [...lexer.tokens].map((token) => {
      const block = { start: at, raw: token.raw, token, open: false };
      at += token.raw.length;
      return block;
    });
    if (at === start + source.length) return blocks;
  } catch {
    // Nested deeper than the stack allows: not a text that marks would help.
  }
  return [{ start, raw: source, token: plain(source), open: false }];
}

function readInline(lexer: Lexer, source: string, tokens: Token[]): void {
  if (source.length > INLINE_LIMIT) tokens.push(plain(source));
  else lexer.inlineTokens(source, tokens);
}

function plain(text: string): Tokens.Text {
  return { type: "text", raw: text, text, escaped: false };
}
