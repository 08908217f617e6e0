import { expect, test } from "vitest";
import { oneLine, readable, reveal, stripTerminalCodes } from "./text";

test("hidden and reordering characters are spelled out", () => {
  expect(reveal("rm \u202Etxt.exe\u202C\u200B\u0007")).toBe("rm ⟨U+202E⟩txt.exe⟨U+202C⟩⟨U+200B⟩⟨U+0007⟩");
  expect(reveal("plain\ttext\nline 合并 é 👍")).toBe("plain\ttext\nline 合并 é 👍");
});

test("terminal codes are taken out, also those of links and titles", () => {
  expect(stripTerminalCodes("\u001b[31mred\u001b[0m \u001b]8;;javascript:pwn()\u0007l\u001b]8;;\u0007")).toBe("red l");
  expect(stripTerminalCodes("\u001b]0;title\u001b\\\u001b[2K\u001b[1;32mok\u001b(B")).toBe("ok");
});

test("a title is one line", () => {
  expect(oneLine("  a\n\tb  c ")).toBe("a b c");
});

test("values are read as text or as JSON", () => {
  expect(readable("a\nb")).toBe("a\nb");
  expect(readable({ a: 1 })).toBe('{\n  "a": 1\n}');
  expect(readable(undefined)).toBe("");
});
