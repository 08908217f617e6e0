import { composer, expect, say, test, turns } from "../../web/e2e/fixtures.ts";

test("a question shows the exact command, and its answer goes to the agent once, in all tabs", async ({ drover, page }) => {
  const task = await drover.task();
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(drover.url + task.path);
  await say(page, "!ask p1");
  for (const tab of [page, other]) {
    const card = tab.getByRole("region", { name: "Scripted asks" });
    await expect(card.locator("pre")).toHaveText("rm -rf build");
    await expect(card.locator("[data-option]")).toHaveText([/^Allow once/, /^Allow always/, /^Reject/]);
  }
  await other.getByRole("button", { name: "Reject: rm -rf build" }).click();
  for (const tab of [page, other]) {
    await expect(tab.getByRole("region", { name: "Scripted asks" })).toBeHidden();
    await expect(turns(tab)).toContainText('"optionId": "no"');
  }
});

test("a question takes neither the focus nor the keys that are typed into the composer", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!sleep 300\n!ask p1");
  await composer(page).focus();
  const card = page.getByRole("region", { name: "Scripted asks" });
  await expect(card).toBeVisible();
  await page.keyboard.type("123");
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue("123");
  await expect(card).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toBeVisible();
});

test("a number answers when nothing is being typed", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!ask p1");
  const card = page.getByRole("region", { name: "Scripted asks" });
  await expect(card).toBeVisible();
  await page.getByRole("log").focus();
  await expect(async () => {
    await page.keyboard.press("2");
    await expect(card).toBeHidden({ timeout: 500 });
  }).toPass();
  await expect(turns(page)).toContainText('"optionId": "always"');
});

test("stopping the turn is beside the answers and none of them", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!ask p1");
  await page.getByRole("button", { name: "Stop the turn" }).click();
  await expect(turns(page)).toHaveAttribute("data-status", "cancelled");
  await expect(page.getByRole("region", { name: "Scripted asks" })).toBeHidden();
});

test("a question asked while nobody looked is there later, and the lists say so", async ({ drover, page }) => {
  const task = await drover.task();
  await drover.send(task.id, "!ask p1");
  await page.goto(drover.url);
  await page.getByRole("main").getByRole("link", { name: /Needs your answer/ }).click();
  await page.getByRole("button", { name: "Allow once: rm -rf build" }).click();
  await expect(turns(page)).toContainText('"optionId": "yes"');
});
