import { expect, test } from "vitest";
import { readValue } from "./value";

const reference = (preview: string) => ({ $blob: { sha256: "ab", size: 40_000, preview } });

test("a value shows the beginning of what is stored elsewhere, and says where it belongs", () => {
  const { text, blobs } = readValue({ out: reference("yyy"), list: [1, { deep: reference("zz") }] });
  expect(JSON.parse(text)).toEqual({ out: "yyy…", list: [1, { deep: "zz…" }] });
  expect(blobs.map(({ place, blob }) => [place, blob.size])).toEqual([
    ["out", 40_000],
    ["list[1].deep", 40_000],
  ]);
});

test("a whole value that is stored elsewhere, and texts, are read as they are", () => {
  expect(readValue(reference("beginning"))).toMatchObject({ text: "beginning…", blobs: [{ place: "" }] });
  expect(readValue("a\nb")).toEqual({ text: "a\nb", blobs: [] });
  expect(readValue(null)).toEqual({ text: "null", blobs: [] });
});

test("an agent's own $blob is no reference", () => {
  const { text, blobs } = readValue({ $$blob: { sha256: "x" } });
  expect(JSON.parse(text)).toEqual({ $blob: { sha256: "x" } });
  expect(blobs).toEqual([]);
});
