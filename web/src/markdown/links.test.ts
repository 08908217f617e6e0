import { expect, test } from "vitest";
import { decodeEntities } from "./entities";
import { safeHref } from "./links";

test.each([
  ["https://example.org/a?b#c", "https://example.org/a?b#c"],
  ["mailto:a@example.org", "mailto:a@example.org"],
  ["http://localhost:3000/", "http://localhost:3000/"],
  ["http://127.0.0.1:1/x", "http://127.0.0.1:1/x"],
  ["http://[::1]:1/x", "http://[::1]:1/x"],
  ["http://example.org/", null],
  ["http://localhost.example.org/", null],
  ["javascript:pwn()", null],
  ["JaVaScRiPt&#58;pwn()", null],
  [" java\nscript:pwn()", null],
  ["data:text/html,<script>pwn()</script>", null],
  ["vbscript:x", null],
  ["file:///etc/passwd", null],
  ["blob:https://example.org/x", null],
  ["//example.org/x", null],
  ["src/main.rs", null],
])("a link to %j leads to %j", (href, expected) => {
  expect(safeHref(decodeEntities(href))).toBe(expected);
});

test.each([
  ["a &amp;&lt;b&gt; &#39;&#x27;", "a &<b> ''"],
  ["&notathing; & &;", "&notathing; & &;"],
  ["&#0; &#xD800; &#9999999;", "\ufffd \ufffd \ufffd"],
])("the references in %j are resolved", (text, expected) => {
  expect(decodeEntities(text)).toBe(expected);
});
