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

/** A fence's first line is looked for in so many characters. */
const FENCE_HEAD = 1_000;
const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*\n)|~{3,})([^\n]*)\n/;

/** What is read anew in whole with every addition; a longer last block is read again only when it has grown by a part. */
const LARGE = 16_384;
const PART = 1 / 16;

/**
 * The blocks of a text that grows at its end. Only the last block is ever read anew; whatever stands before it is
 * frozen. A text with link definitions is read once more as a whole when it is done, so that what later text defines counts.
 */
export class BlockStream {
  #text = "";
  #done = false;
  #groups: Block[][] = [];
  #tail: Block[] = [];
  #tailStart = 0;
  /** Up to where the tail was read, and the length at which it is read again. */
  #readEnd = 0;
  #readAgainAt = 0;
  #fence: OpenFence | null = null;
  #links: Lexer["tokens"]["links"] = {};

  /** The groups of blocks of `text`. Calling it again with the same arguments changes nothing. */
  update(text: string, done: boolean): readonly (readonly Block[])[] {
    const clean = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    if (clean !== this.#text || done !== this.#done) {
      const grows = !this.#done && clean.startsWith(this.#text);
      if (!grows) this.#reset();
      this.#text = clean;
      this.#done = done;
      this.#readTail();
      if (done && Object.keys(this.#links).length > 0) {
        this.#reset();
        this.#readTail();
      }
    }
    return this.#view();
  }

  /** A block keeps its group from the first time it is shown: what is frozen is not made anew. */
  #view(): readonly (readonly Block[])[] {
    const shown = this.#tail.filter((block) => block.token.type !== "space");
    const rest = this.#text.slice(this.#readEnd);
    if (rest !== "") shown.push({ start: this.#readEnd, raw: rest, token: plain(rest), open: false });
    const groups = [...this.#groups];
    for (const block of shown) addTo(groups, block);
    return groups;
  }

  #reset(): void {
    this.#groups = [];
    this.#tail = [];
    this.#tailStart = 0;
    this.#readEnd = 0;
    this.#readAgainAt = 0;
    this.#fence = null;
    this.#links = {};
  }

  #readTail(): void {
    const length = this.#text.length;
    if (!this.#done && length < this.#readAgainAt) return;
    const source = this.#text.slice(this.#tailStart);
    this.#readEnd = length;
    this.#fence = this.#done ? null : openFence(source, this.#fence);
    if (this.#fence) {
      this.#tail = [fenceBlock(source, this.#tailStart, this.#fence)];
      this.#readAgainAt = 0;
      return;
    }
    const blocks = readBlocks(ownCopy(source), this.#tailStart, this.#links);
    const last = blocks.findLastIndex((block) => block.token.type !== "space");
    const settled = this.#done ? blocks.length : Math.max(0, last);
    for (const block of blocks.slice(0, settled)) if (block.token.type !== "space") addTo(this.#groups, block);
    this.#tail = blocks.slice(settled);
    this.#tailStart = this.#tail[0]?.start ?? this.#tailStart;
    if (this.#done) this.#tailStart = length;
    const tail = length - this.#tailStart;
    this.#readAgainAt = tail > LARGE ? length + tail * PART : 0;
  }
}

/** Adds a block to the last group, or begins the next one. The group is a new array: those who hold it keep what they had. */
function addTo(groups: Block[][], block: Block): void {
  const last = groups.at(-1);
  if (last && last.length < GROUP) groups[groups.length - 1] = [...last, block];
  else groups.push([block]);
}

/**
 * The same text in memory of its own. Parts of a string keep the whole alive: the blocks of a long answer would hold every
 * length that it ever had.
 */
function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}

/** A fence that nothing has closed so far, as places in the text that begins with it. */
interface OpenFence {
  blank: number;
  /** Where its first line of code begins. */
  code: number;
  language: string;
  close: RegExp;
  /** Up to where the end was looked for in vain: the beginning of the last line. */
  searched: number;
}

/** The fence that `source` begins with, while it is open. `known` is what was found when the source was shorter. */
function openFence(source: string, known: OpenFence | null): OpenFence | null {
  const fence = known ?? beginFence(source);
  if (!fence) return null;
  fence.close.lastIndex = fence.searched;
  if (fence.close.test(source)) return null;
  return { ...fence, searched: Math.max(fence.code, source.lastIndexOf("\n") + 1) };
}

function beginFence(source: string): OpenFence | null {
  const blank = /^\n*/.exec(source)?.[0].length ?? 0;
  const found = FENCE.exec(source.slice(blank, blank + FENCE_HEAD));
  if (!found?.[1]) return null;
  const code = blank + found[0].length;
  const close = new RegExp(`^ {0,3}${found[1][0]}{${found[1].length},}[ \\t]*(?:\\n|$(?![^]))`, "gm");
  return { blank, code, language: found[2]?.trim() ?? "", close, searched: code };
}

function fenceBlock(source: string, start: number, fence: OpenFence): Block {
  const raw = source.slice(fence.blank);
  const token: Tokens.Code = { type: "code", raw, lang: fence.language, text: source.slice(fence.code) };
  return { start: start + fence.blank, raw, token, open: true };
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
