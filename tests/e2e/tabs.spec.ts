import { expect, say, test, turns, words } from "../../web/e2e/fixtures.ts";

const TABS = 12;

test("twelve tabs on one daemon are all live, and closing the first disturbs none", async ({ drover, page }) => {
  test.setTimeout(120_000);
  const context = page.context();
  const [shared, ...others] = await Promise.all(Array.from({ length: 1 + TABS / 2 }, () => drover.task()));
  const tabs = [page];
  while (tabs.length < TABS) tabs.push(await context.newPage());
  for (const [index, tab] of tabs.entries()) {
    const task = index < TABS / 2 ? shared : others[index - TABS / 2];
    await tab.goto(drover.url + (task?.path ?? "/"));
    await expect(tab.locator("[data-connection=live]")).toBeVisible({ timeout: 5_000 });
  }
  await Promise.all(others.map((task) => drover.send(task.id, "!say 30 20")));
  await say(tabs[TABS / 2 - 1] ?? page, "!say 150 20");
  for (const tab of tabs) await expect(turns(tab)).toContainText("w5 ");
  await tabs[2]?.reload();
  await tabs[0]?.close();
  for (const tab of tabs.slice(1, TABS / 2)) await expect(turns(tab)).toContainText(words(150));
  for (const tab of tabs.slice(TABS / 2)) await expect(turns(tab)).toContainText(words(30));
});

test("a turn is stopped from another tab than it was sent from", async ({ drover, page }) => {
  const task = await drover.task();
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(drover.url + task.path);
  await say(page, "!say 3\n!hang");
  await other.getByRole("button", { name: "Stop", exact: true }).click();
  for (const tab of [page, other]) await expect(turns(tab)).toHaveAttribute("data-status", "cancelled");
});
