import { expect, test } from "vitest";
import { binarySize, byteSize, duration, relativeTime } from "./format";

const now = Date.parse("2026-03-10T12:00:00.000Z");

test.each([
  ["2026-03-10T11:59:50.000Z", "now"],
  ["2026-03-10T11:55:00.000Z", "5 min. ago"],
  ["2026-03-10T09:00:00.000Z", "3 hr. ago"],
  ["2026-03-08T12:00:00.000Z", "2 days ago"],
  ["2026-01-02T12:00:00.000Z", "Jan 2, 2026"],
  ["2099-01-01T00:00:00.000Z", "now"],
  ["yesterday", "yesterday"],
])("%s is %s", (at, expected) => {
  expect(relativeTime(at, now, "en-US")).toBe(expected);
});

test.each([
  [512, "512 bytes"],
  [16_384, "16.4 kB"],
  [2_000_000, "2 MB"],
])("%d bytes are %s", (bytes, expected) => {
  expect(byteSize(bytes, "en-US")).toBe(expected);
});

test.each([
  [-5, "0s"],
  [1_234, "1.2s"],
  [59_400, "59s"],
  [61_000, "1m 1s"],
  [3_720_000, "1h 2m"],
])("%d ms are %s", (milliseconds, expected) => {
  expect(duration(milliseconds, "en-US")).toBe(expected);
});

test("limits are told as they are set", () => {
  expect(binarySize(26_214_400, "en-US")).toBe("25 MiB");
  expect(binarySize(524_288, "de-DE")).toBe("0,5 MiB");
});
