import { expect, test, turns } from "../../web/e2e/fixtures.ts";

test("what comes late for one task does not take the place of another", async ({ drover, page }) => {
  const tasks = [await drover.task(), await drover.task()] as const;
  const [x, y] = tasks;
  await drover.send(x.id, "!text only-x\n!say 300 20");
  await drover.send(y.id, "!text only-y\n!say 300 20");
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  await page.route(`**/tasks/${x.id}/chat*`, async (route) => {
    await gate;
    await route.continue();
  });
  const asked = page.waitForRequest(`**/tasks/${x.id}/chat*`);
  await page.goto(drover.url + x.path);
  await asked;
  const link = (task: { path: string }) => page.locator(`a[href$="${task.path}"]`).first();
  await link(y).click();
  await expect(turns(page)).toContainText("only-y");
  const answered = page.waitForResponse(`**/tasks/${x.id}/chat*`);
  open();
  await answered;
  for (let round = 0; round < 10; round += 1) {
    await link(x).click();
    await expect(turns(page)).toContainText("only-x");
    await expect(turns(page)).not.toContainText("only-y");
    await link(y).click();
    await expect(turns(page)).toContainText("only-y");
    await expect(turns(page)).not.toContainText("only-x");
  }
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  const whole = Array.from({ length: 300 }, (_, word) => `w${word} `).join("");
  for (const [task, start] of [[x, "only-x"], [y, "only-y"]] as const) {
    await expect.poll(async () => (await drover.answers(task.id))[0]?.text).toBe(`${start}${whole}`);
  }
});
