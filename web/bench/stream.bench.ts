import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession } from "@playwright/test";
import { type Drover, expect, test, turns } from "../e2e/fixtures.ts";
import { median, quantile, record, SHORT } from "./figures.ts";
import { markdownOf } from "./text.ts";

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** Puts an answer on disk, from where the scripted agent streams it. */
function answer(drover: Drover, bytes: number): { path: string; text: string } {
  const path = join(drover.home, `answer-${bytes}.md`);
  const text = markdownOf(bytes);
  writeFileSync(path, text);
  return { path, text };
}

/** Seconds of work of the page's main thread so far, in its own time, without what this measurement asks of it. */
async function workOf(client: CDPSession): Promise<number> {
  const { metrics } = await client.send("Performance.getMetrics");
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return of("TaskDuration") - of("DevToolsCommandDuration");
}

async function heap(client: CDPSession): Promise<number> {
  await client.send("HeapProfiler.collectGarbage");
  return (await client.send("Runtime.getHeapUsage")).usedSize;
}

/** Waits for the end of a task's only answer. The daemon is asked, so that the page has nothing else to do. */
async function ended(drover: Drover, task: string): Promise<string> {
  const only = async () => (await drover.answers(task))[0];
  await expect.poll(async () => (await only())?.status, { timeout: 120_000, intervals: [500] }).toBe("done");
  return (await only())?.text ?? "";
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
  args: { name?: string };
}

/** The longest task of a page's main thread in milliseconds of its own time, from a second after the trace began. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid}:${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === "RunTask" && mains.has(`${pid}:${tid}`));
  const began = Math.min(...tasks.map(({ ts }) => ts));
  return Math.max(0, ...tasks.filter(({ ts }) => ts > began + 1e6).map(({ tdur }) => (tdur ?? 0) / 1e3));
}

test("200 KB of markdown in 10 s leave the main thread free", async ({ drover, page, browser }) => {
  const { path, text } = answer(drover, 200 * KILOBYTE);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy: number[] = [];
  const longest: number[] = [];
  for (let round = 0; round < (SHORT ? 1 : 3); round += 1) {
    const task = await drover.task();
    await page.goto(drover.url + task.path);
    await expect(page.getByRole("log")).toBeVisible();
    const before = await workOf(client);
    await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
    await drover.send(task.id, `!file 4000 10000 ${path}`);
    expect(await ended(drover, task.id)).toBe(text);
    longest.push(longestTask(await browser.stopTracing()));
    busy.push((await workOf(client)) - before);
    await expect(turns(page)).toContainText("The very end.");
  }
  const least = (values: number[]) => `${Math.min(...values).toFixed(1)} at best`;
  record({ what: `200 KB of markdown in 10 s: work of the main thread (${least(busy)})`, value: median(busy), limit: 4, unit: "s", holds: "alone" });
  record({ what: `its longest task after the first second (${least(longest)})`, value: median(longest), limit: 100, unit: "ms", holds: "alone" });
});

test("an answer of 1 MB adds little to the heap", async ({ drover, page }) => {
  const { path, text } = answer(drover, MEGABYTE);
  const client = await page.context().newCDPSession(page);
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await expect(page.getByRole("log")).toBeVisible();
  const before = await heap(client);
  await drover.send(task.id, `!file 2000 10000 ${path}`);
  expect(await ended(drover, task.id)).toBe(text);
  const isShown = () => page.evaluate(() => document.querySelector(".md")?.lastElementChild?.textContent?.endsWith("The very end."));
  await expect.poll(isShown, { timeout: 60_000, intervals: [500] }).toBe(true);
  const added = (await heap(client)) - before;
  record({ what: "heap added by an answer of 1 MB", value: added / MEGABYTE, limit: 40, unit: "MB", holds: "anywhere" });
});

test("the composer stays quick while five tasks stream", async ({ drover, page }) => {
  const { path } = answer(drover, 100 * KILOBYTE);
  const tasks = await Promise.all(Array.from({ length: 5 }, () => drover.task()));
  await page.goto(drover.url + (tasks[0]?.path ?? ""));
  const box = page.getByRole("textbox", { name: "Message" });
  await box.click();
  await page.evaluate(() => {
    const [handlers, events]: [number[], PerformanceEventTiming[]] = [[], []];
    let began = 0;
    addEventListener("input", () => (began = performance.now()), true);
    // What React does for an input it has done by the end of the microtasks that follow.
    addEventListener("input", () => queueMicrotask(() => queueMicrotask(() => handlers.push(performance.now() - began))));
    const observer = new PerformanceObserver((list) => events.push(...(list.getEntries() as PerformanceEventTiming[])));
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    Object.assign(globalThis, { handlers, events });
  });
  await Promise.all(tasks.map(({ id }) => drover.send(id, `!file 3000 40000 ${path}`)));
  await expect(turns(page)).toContainText("Section 1");
  const keys = "the quick brown fox jumps over the lazy dog ".repeat(SHORT ? 2 : 3);
  await box.pressSequentially(keys, { delay: 50 });
  await expect(box).toHaveValue(keys);
  expect(await turns(page).last().getAttribute("data-status"), "it still streams").toBe("streaming");
  const { handlers, slow } = await page.evaluate(() => {
    const seen = globalThis as unknown as { handlers: number[]; events: PerformanceEventTiming[] };
    return { handlers: seen.handlers, slow: seen.events.filter(({ name }) => name === "keydown").map(({ duration }) => duration) };
  });
  // The browser tells only of those that take 16 ms or more.
  const durations = [...slow, ...Array.from({ length: Math.max(0, keys.length - slow.length) }, () => 16)];
  record({ what: "composer while five tasks stream: handler (median)", value: median(handlers), limit: 4, unit: "ms", holds: "alone" });
  record({ what: "key to next paint by Event Timing (95th percentile)", value: quantile(durations, 0.95), limit: 50, unit: "ms", holds: "alone" });
});
