import { composer, expect, say, test, turns, words } from "../../web/e2e/fixtures.ts";

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

test("a page under a newer daemon offers to be loaded again", async ({ drover, page }) => {
  const task = await drover.task();
  let connections = 0;
  await page.route("**/api/v1/events*", async (route) => {
    connections += 1;
    const hello = { connection: "c", instance_id: "i", seq: 0, version: "9", build: `build ${connections}` };
    const body = `event: hello\ndata: ${JSON.stringify(hello)}\n\n`;
    await route.fulfill({ status: 200, contentType: "text/event-stream", body });
  });
  await page.goto(drover.url + task.path);
  await composer(page).fill("kept over the reload");
  await expect(page.getByText("Drover has been updated.", { exact: false })).toBeVisible();
  await page.unroute("**/api/v1/events*");
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(composer(page)).toHaveValue("kept over the reload");
  await expect(page.getByText("Drover has been updated.", { exact: false })).toBeHidden();
});
