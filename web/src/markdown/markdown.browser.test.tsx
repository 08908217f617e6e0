import { expect, test } from "vitest";
import { show } from "../testing/render";
import { Markdown } from "./markdown";

const HOSTILE = [
  "[x](javascript:pwn())",
  "[x](JaVaScRiPt&#58;pwn())",
  "[x](data:text/html,<script>pwn()</script>)",
  "<img src=x onerror=pwn()>",
  "<svg/onload=pwn()>",
  "\\`<img src=x onerror=pwn()>\\`",
  "    ```\n<img src=x onerror=pwn()>",
  "```~\ncode\n```~",
  "![x](https://example.org/track.png)",
  "<a href='javascript:pwn()'>x</a>",
];

test.each(HOSTILE)("%j runs nothing, loads nothing and stays readable", async (text) => {
  const { container } = await show(<Markdown text={text} done />);
  expect(container.querySelectorAll("img, svg:not([aria-hidden]), script, iframe, [onerror], [onload]")).toHaveLength(0);
  for (const link of container.querySelectorAll("a")) expect(link.protocol).toBe("https:");
  expect(container.textContent).not.toBe("");
});

test("what looks like HTML in a text is visible", async () => {
  const { container } = await show(<Markdown text={"Use <T> and Vec<String> & &amp; `a &amp; <b>`"} done />);
  expect(container.textContent).toBe("Use <T> and Vec<String> & & a &amp; <b>");
});

test("links open elsewhere, know no opener and name their host", async () => {
  const { container } = await show(<Markdown text="[docs](https://example.org/a) and http://localhost:3000/x" done />);
  const links = [...container.querySelectorAll("a")].map(({ href, target, rel, title }) => ({ href, target, rel, title }));
  const safe = { target: "_blank", rel: "noopener noreferrer" };
  expect(links).toEqual([
    { href: "https://example.org/a", title: "example.org", ...safe },
    { href: "http://localhost:3000/x", title: "localhost:3000", ...safe },
  ]);
});

test("lists, tasks, tables and headings have their elements", async () => {
  const text = "# One\n\n1. a\n   - b\n2. [x] c\n\n| h | i |\n| - | -: |\n| 1 | 2 |\n\n> q\n";
  const { container } = await show(<Markdown text={text} done />);
  expect(container.querySelector("h4")?.textContent).toBe("One");
  expect(container.querySelectorAll("ol > li")).toHaveLength(2);
  expect(container.querySelector("ol ul li")?.textContent).toBe("b");
  expect(container.querySelector(".md-task")?.textContent).toBe("☑c");
  expect([...container.querySelectorAll("th, td")].map((cell) => cell.textContent)).toEqual(["h", "i", "1", "2"]);
  expect(container.querySelector("blockquote")?.textContent).toBe("q");
});

test("an open fence grows in place, and settled blocks are not drawn anew", async () => {
  const start = "First paragraph.\n\n```ts\nlet a = 1;\n";
  const { container, rerender } = await show(<Markdown text={start} done={false} />);
  const paragraph = container.querySelector("p");
  const pre = container.querySelector("pre");
  await rerender(<Markdown text={`${start}let b = 2;\n`} done={false} />);
  expect(container.querySelector("p")).toBe(paragraph);
  expect(container.querySelector("pre")).toBe(pre);
  expect(pre?.textContent).toBe("let a = 1;\nlet b = 2;\n");
  await rerender(<Markdown text={`${start}let b = 2;\n\`\`\`\n\nAfter.`} done />);
  expect(container.querySelector("pre")?.textContent).toBe("let a = 1;\nlet b = 2;");
  expect(container.querySelector("p:last-child")?.textContent).toBe("After.");
});

test("a block is not made anew when it is frozen, however many come after it", async () => {
  const code = "```ts\nlet a = 1;\n";
  let text = `Before.\n\n${code}`;
  const { container, rerender } = await show(<Markdown text={text} done={false} />);
  const figure = container.querySelector("figure");
  for (let count = 0; count < 80; count += 1) {
    text += count === 0 ? "```\n\n" : `Paragraph ${count}.\n\n`;
    await rerender(<Markdown text={text} done={false} />);
    expect(container.querySelector("figure")).toBe(figure);
  }
  await rerender(<Markdown text={text} done />);
  expect(container.querySelector("figure")).toBe(figure);
  expect(container.querySelectorAll(".md-group.md-full")).toHaveLength(2);
});

test("a link that is defined at the end becomes one", async () => {
  const text = "See [that][1] and [this].\n\nMore.\n\n";
  const { container, rerender } = await show(<Markdown text={text} done={false} />);
  expect(container.querySelectorAll("a")).toHaveLength(0);
  await rerender(<Markdown text={`${text}[1]: https://example.org/`} done />);
  expect(container.querySelector("a")?.href).toBe("https://example.org/");
});

test("code is coloured, and its text stays exactly the same", async () => {
  const source = 'fn main() {\n    let text = "<b>&amp;"; // a comment\n}';
  const { container } = await show(<Markdown text={`\`\`\`rust\n${source}\n\`\`\``} done />);
  await expect.poll(() => container.querySelector(".hl-string")?.textContent).toBe('"<b>&amp;"');
  expect(container.querySelector(".hl-keyword")?.textContent).toBe("fn");
  expect(container.querySelector(".hl-comment")?.textContent).toBe("// a comment");
  expect(container.querySelector("code")?.textContent).toBe(source);
});

test("a long block shows its beginning, and all of it when asked; one seen to grow stays whole", async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index}`).join("\n");
  const { container, getByRole, rerender } = await show(<Markdown key="a" text={`\`\`\`\n${lines}\n\`\`\``} done />);
  expect(container.querySelector("code")?.textContent.split("\n")).toHaveLength(201);
  await getByRole("button", { name: "Show all 3,000 lines" }).click();
  expect(container.querySelector("code")?.textContent).toBe(lines);
  await rerender(<Markdown key="b" text={`\`\`\`\n${lines}\n`} done={false} />);
  await rerender(<Markdown key="b" text={`\`\`\`\n${lines}\n\`\`\``} done />);
  expect(container.querySelector("code")?.textContent).toBe(lines);
});
