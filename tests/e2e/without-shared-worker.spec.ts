import { expect, say, test, turns, words } from "../../web/e2e/fixtures.ts";

test.beforeEach(async ({ context }) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(globalThis, "SharedWorker");
  });
});

test("without a SharedWorker the page holds its own stream", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await say(page, "!say 40 20");
  await expect(turns(page)).toContainText("w5 ");
  await page.reload();
  await expect(turns(page)).toContainText(words(40));
  expect(await page.evaluate(() => "SharedWorker" in globalThis)).toBe(false);
});

test("where not even that opens, snapshots are taken again and again", async ({ drover, page }) => {
  const task = await drover.task();
  await page.route("**/api/v1/events*", () => {});
  await page.goto(drover.url + task.path);
  await drover.send(task.id, "!text by snapshot");
  await expect(page.locator("[data-connection=polling]")).toBeVisible();
  await expect(turns(page)).toContainText("by snapshot");
});
