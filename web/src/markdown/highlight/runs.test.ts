import hljs from "highlight.js/lib/core";
import xml from "highlight.js/lib/languages/xml";
import javascript from "highlight.js/lib/languages/javascript";
import { expect, test } from "vitest";
import { languageNamed } from "./names";
import { piecesOf, RunEmitter } from "./runs";

hljs.registerLanguage("xml", xml);
hljs.registerLanguage("javascript", javascript);
hljs.configure({ __emitter: RunEmitter });

function runsOf(code: string, language: string) {
  const { _emitter: emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
  if (!(emitter instanceof RunEmitter)) throw new Error("another emitter");
  return emitter.runs();
}

test("pieces are the code, whole and in order, also across a language within a language", () => {
  const code = '<p a="1">x &amp; y</p>\n<script>const s = `a ${1 + 2} b`; // <c>\n</script>';
  const pieces = piecesOf(code, runsOf(code, "xml"), 0, code.length);
  expect(pieces.map(({ text }) => text).join("")).toBe(code);
  expect(pieces).toContainEqual({ text: "const", className: "hl-keyword" });
  expect(pieces).toContainEqual({ text: "// <c>", className: "hl-comment" });
});

test("a part of the code has the pieces of that part", () => {
  const code = "let a = 1;\nlet b = 2;\n";
  const runs = runsOf(code, "javascript");
  for (let start = 0; start < code.length; start += 1) {
    for (let end = start; end <= code.length; end += 1) {
      expect(piecesOf(code, runs, start, end).map(({ text }) => text).join("")).toBe(code.slice(start, end));
    }
  }
});

test.each([
  ["TS", "typescript"],
  ["c++", "cpp"],
  ["toml", "ini"],
  ["", null],
  ["klingon", null],
  ["constructor", null],
])("a fence that says %j is %j", (name, language) => {
  expect(languageNamed(name)).toBe(language);
});
