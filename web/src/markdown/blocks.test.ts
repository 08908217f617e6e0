import { describe, expect, test } from "vitest";
import { dice } from "../testing/world";
import { type Block, BlockStream } from "./blocks";

const CORPUS = [
  "# Title\n\nA paragraph\nover two lines, with `code` and **marks**.\n\n- one\n- two\n\n  more of two\n- three\n\n> quoted\n> twice\n\nLast.\n",
  "Before\n\n````md\n```js\nlet inner = 1;\n```\n````\n\nAfter `x`.\n",
  "| a | b |\n| - | -: |\n| 1 | 2 |\n| 3 | 4 |\n\n1) first\n2) second\n\n$x$ and $5\n",
  "~~~\nwith ```~ inside\n~~~\n\n    indented code\n\n***\n\n<div onclick=pwn()>\nhi\n</div>\n\nSee [that][1].\n\n[1]: https://example.org/\n",
  "合并 👩‍💻 é ≤\r\n\r\nline two\r\nline three\r\n",
  "text\n```rust\nfn never_closed() {\n    let x = 1;\n",
];

/** Milliseconds of work since `before`, a former answer of `process.cpuUsage`: a busy machine disturbs a clock more. */
const worked = (before: NodeJS.CpuUsage) => process.cpuUsage(before).user / 1_000;

const flat = (groups: readonly (readonly Block[])[]) => groups.flat();

/** What a block says, whether or not its fence has been closed yet. */
const meaning = (block: Block) => ({
  type: block.token.type,
  text: "text" in block.token ? block.token.text.trimEnd() : undefined,
});

describe("blocks of a growing text", () => {
  test.each(CORPUS.map((text, index) => [index, text] as const))("are the same however it is cut (%i)", (index, text) => {
    const whole = flat(new BlockStream().update(text, true)).filter((block) => block.token.type !== "space");
    const random = dice(index + 1);
    for (let round = 0; round < 40; round += 1) {
      const stream = new BlockStream();
      for (let end = 0; end < text.length; ) {
        end = Math.min(text.length, end + 1 + Math.floor(random() * 9));
        const raws = flat(stream.update(text.slice(0, end), false)).map((block) => block.raw);
        expect(raws.join("").replace(/\s/g, "")).toBe(text.slice(0, end).replace(/\s/g, ""));
      }
      const grown = flat(stream.update(text, false)).filter((block) => block.token.type !== "space");
      expect(grown.map(meaning)).toEqual(whole.map(meaning));
      expect(flat(stream.update(text, true)).map(meaning).filter(({ type }) => type !== "space")).toEqual(
        whole.map(meaning),
      );
    }
  });

  test("keep their identity once something follows them", () => {
    const stream = new BlockStream();
    const first = flat(stream.update("one\n\ntwo\n\nthr", false));
    const later = flat(stream.update("one\n\ntwo\n\nthree and more", false));
    expect(later[0]).toBe(first[0]);
    expect(later.at(-1)?.raw).toBe("three and more");
  });

  test("a huge list that grows is read a bounded number of times, and none of it is missing meanwhile", () => {
    const stream = new BlockStream();
    let text = "";
    const before = process.cpuUsage();
    for (let tick = 0; tick < 300; tick += 1) {
      for (let item = 0; item < 24; item += 1) text += `- item **${item}** of a list\n`;
      const shown = flat(stream.update(text, false));
      if (tick % 20 === 0) expect(shown.map((block) => block.raw).join("")).toBe(text);
    }
    expect(worked(before)).toBeLessThan(5_000);
    expect(flat(stream.update(text, true)).map((block) => block.token.type)).toEqual(["list"]);
  }, 60_000);

  test("a fence of many kilobytes grows without being looked through again", () => {
    const stream = new BlockStream();
    let text = "```\n";
    const before = process.cpuUsage();
    for (let tick = 0; tick < 300; tick += 1) {
      text += `${"x".repeat(99)}\n`.repeat(33);
      stream.update(text, false);
    }
    expect(worked(before)).toBeLessThan(1_500);
    expect(flat(stream.update(`${text}\`\`\`\nafter`, false)).map(({ open, token }) => [open, token.type])).toEqual([
      [false, "code"],
      [false, "paragraph"],
    ]);
  });

  test("an open fence is code that ends with its own message", () => {
    const blocks = flat(new BlockStream().update("hi\n\n```ts\nlet a = 1;\n# not a heading\n", true));
    expect(blocks.at(-1)?.token).toMatchObject({ type: "code", lang: "ts", text: "let a = 1;\n# not a heading" });
  });

  test.each([
    ["[", 100_000],
    ["*", 100_000],
    ["`", 100_000],
    ["_a", 50_000],
    [">", 100_000],
    ["![[", 30_000],
    ["<", 100_000],
    ["- ", 50_000],
  ])("a hundred kilobytes of %j are read in time", (unit, times) => {
    const text = unit.repeat(times);
    const before = performance.now();
    const blocks = flat(new BlockStream().update(text, true));
    expect(blocks.map((block) => block.raw).join("")).toBe(text);
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
