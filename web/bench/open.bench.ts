import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { type Page, test } from "../e2e/fixtures.ts";
import { ratio, record, SHORT } from "./figures.ts";

const ROUNDS = SHORT ? 5 : 15;
const MOST = 1.5;

test("a chat of ten thousand messages opens like one of ten, and like an empty page", async ({ drover, page }) => {
  await drover.stop();
  const bench = join(dirname(process.env.DROVER_BIN ?? ""), "bench");
  const [long = "", short = ""] = execFileSync(bench, ["--seed", drover.dataDir], { encoding: "utf8" }).trim().split(" ");
  await drover.run();
  const times: Record<"long" | "short" | "shell", number[]> = { long: [], short: [], shell: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const measured = {
      long: await untilPainted(page, `${drover.url}/t/${long}`, "Message 10000:"),
      short: await untilPainted(page, `${drover.url}/t/${short}`, "Message 10:"),
      shell: await firstPaint(page, `${drover.url}/settings/about`),
    };
    // The first of each fills the browser's caches.
    if (round > 0) for (const name of ["long", "short", "shell"] as const) times[name].push(measured[name]);
  }
  const fastest = (name: keyof typeof times) => `${Math.round(Math.min(...times[name]))} ms at best`;
  record({ what: `newest turn of 10,000 messages painted (${fastest("long")}) against a chat of ten (${fastest("short")})`, value: ratio(times.long, times.short), limit: MOST, unit: "×", holds: "anywhere" });
  record({ what: `the same against the first paint of the page without a chat (${fastest("shell")})`, value: ratio(times.long, times.shell), limit: MOST, unit: "×", holds: "alone", lenient: 1.4 });
});

/**
 * Milliseconds from the beginning of the navigation to when the browser had painted the text of the newest message: the same
 * clock as that of the first paint.
 */
async function untilPainted(page: Page, address: string, text: string): Promise<number> {
  const tab = await page.context().newPage();
  await tab.addInitScript((wanted) => {
    const newest = () => [...document.querySelectorAll("section[data-role] .md p, section[data-role] p")].findLast((each) => each.textContent?.includes(wanted));
    // Before it is painted first, the browser is asked to tell when that was.
    new MutationObserver(() => newest()?.setAttribute("elementtiming", "newest")).observe(document, { childList: true, subtree: true });
    const isInSight = () => (newest()?.getBoundingClientRect().bottom ?? Infinity) <= innerHeight;
    new PerformanceObserver((list) => {
      const [painted] = list.getEntries() as (PerformanceEntry & { renderTime: number })[];
      if (painted && isInSight()) Object.assign(globalThis, { paintedAt: painted.renderTime });
    }).observe({ type: "element", buffered: true });
  }, text);
  await tab.goto(address, { waitUntil: "commit" });
  const painted = await tab.waitForFunction(() => (globalThis as { paintedAt?: number }).paintedAt);
  const at = (await painted.jsonValue()) ?? Number.NaN;
  await tab.close();
  return at;
}

/** The same to the first paint of anything that can be read: the frame of the page and its view, drawn by React. */
async function firstPaint(page: Page, address: string): Promise<number> {
  const tab = await page.context().newPage();
  await tab.goto(address, { waitUntil: "commit" });
  const painted = await tab.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  const at = (await painted.jsonValue()) ?? Number.NaN;
  await tab.close();
  return at;
}
