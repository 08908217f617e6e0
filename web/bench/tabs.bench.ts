import { appendFileSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test, turns } from "../e2e/fixtures.ts";
import { record, SHORT } from "./figures.ts";
import { markdownOf } from "./text.ts";

const TABS = SHORT ? 12 : 30;
const VISIBLE = SHORT ? 3 : 5;
const BYTES = 20_000;

/** Connections to one host that a browser keeps at most, whatever they are for. */
const POOL = 6;

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/** Open TCP connections to a port of this machine, without those of this process. */
function connectionsTo(port: number): number {
  const own = new Set(readdirSync("/proc/self/fd").map((each) => linkOf(`/proc/self/fd/${each}`)));
  const rows = TABLES.filter((table) => existsSync(table)).flatMap((table) => readFileSync(table, "utf8").trim().split("\n").slice(1));
  const fields = rows.map((row) => row.trim().split(/\s+/));
  const isOpenTo = ([, , remote = "", state]: string[]) => state === "01" && Number.parseInt(remote.split(":")[1] ?? "", 16) === port;
  return fields.filter((row) => isOpenTo(row) && !own.has(`socket:[${row[9]}]`)).length;
}

/** Where a descriptor leads; nowhere once it is closed. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** Lets a tab believe that it is behind others, or in front again. Headless Chromium shows them all. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

test("many tabs on as many streaming tasks share one worker and lose nothing", async ({ drover, page }) => {
  test.setTimeout(400_000);
  await drover.stop();
  appendFileSync(join(drover.dataDir, "config.toml"), `\nmax_active_runs = ${TABS}\n`);
  await drover.run();
  const path = join(drover.home, "answer.md");
  const text = markdownOf(BYTES);
  writeFileSync(path, text);
  let streams = 0;
  const tabs: Page[] = [];
  const tasks = await Promise.all(Array.from({ length: TABS }, () => drover.task()));
  for (const task of tasks) {
    const tab = await page.context().newPage();
    tab.on("request", (request) => (streams += request.url().includes("/api/v1/events") ? 1 : 0));
    await tab.goto(drover.url + task.path);
    await expect(tab.getByRole("log")).toBeVisible();
    tabs.push(tab);
  }
  for (const tab of tabs.slice(VISIBLE)) await setHidden(tab, true);
  await Promise.all(tasks.map(({ id }) => drover.send(id, `!file 400 8000 ${path}`)));
  for (const tab of tabs.slice(0, VISIBLE)) await expect(turns(tab)).toHaveAttribute("data-status", "done", { timeout: 120_000 });
  for (const { id } of tasks) await expect.poll(async () => (await drover.answers(id))[0]?.status, { timeout: 120_000 }).toBe("done");
  // Where the system tells of its sockets, they are counted: the stream of all tabs, and what is kept for the next calls.
  const connections = existsSync(TABLES[0] ?? "") ? connectionsTo(Number(new URL(drover.url).port)) : null;
  for (const tab of tabs.slice(VISIBLE)) await setHidden(tab, false);
  const client = await page.context().browser()?.newBrowserCDPSession();
  const targets = (await client?.send("Target.getTargets"))?.targetInfos ?? [];
  const reference = await shownText(page, drover.url + (tasks[0]?.path ?? ""));
  let lost = 0;
  for (const tab of tabs) {
    await expect(turns(tab)).toContainText("The very end.");
    if ((await turns(tab).locator(".md").textContent()) !== reference) lost += 1;
  }
  for (const { id } of tasks) expect((await drover.answers(id))[0]?.text).toBe(text);
  const workers = targets.filter(({ type }) => type === "shared_worker").length;
  record({ what: `${TABS} tabs (${VISIBLE} visible) on as many streaming tasks: workers, each with one connection`, value: workers, limit: 1, unit: "", holds: "anywhere" });
  if (connections !== null) {
    expect(connections, "the stream is open").toBeGreaterThan(0);
    record({ what: "open TCP connections of that browser to the daemon", value: connections, limit: POOL, unit: "", holds: "anywhere" });
  }
  record({ what: "streams that a tab holds itself", value: streams, limit: 0, unit: "", holds: "anywhere" });
  record({ what: "tabs whose text is not what a new tab shows", value: lost, limit: 0, unit: "", holds: "anywhere" });
  expect(workers).toBe(1);
});

async function shownText(page: Page, address: string): Promise<string | null> {
  await page.goto(address);
  await expect(turns(page)).toContainText("The very end.");
  return turns(page).locator(".md").textContent();
}
