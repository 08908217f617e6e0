import { composer, expect, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";

const queue = (page: Page) => page.getByRole("list", { name: "Queued messages" }).getByRole("listitem");

test("a queued message is moved to its end by one key too many, and the running answer goes on", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text on\n!hang");
  await expect(turns(page)).toContainText("on");
  for (const text of ["!text aaa", "!text bbb", "!text ccc"]) await say(page, text);
  await expect(queue(page)).toHaveText([/aaa/, /bbb/, /ccc/]);
  const down = page.getByRole("button", { name: "Move down “!text aaa”" });
  await down.focus();
  await page.keyboard.press("Enter");
  await expect(queue(page)).toHaveText([/bbb/, /aaa/, /ccc/]);
  await page.keyboard.press("Enter");
  await expect(queue(page)).toHaveText([/bbb/, /ccc/, /aaa/]);
  await expect(down).toBeFocused();
  await expect(down).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  // The order after a further move tells that all that came before it was done with.
  await page.getByRole("button", { name: "Move up “!text ccc”" }).press("Enter");
  await expect(queue(page)).toHaveText([/ccc/, /bbb/, /aaa/]);
  await expect(turns(page)).toHaveAttribute("data-status", "streaming");
});

test("what is queued goes on from where its editor was, with the caret at the end, and the last one leaves for the composer", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text on\n!hang");
  await expect(turns(page)).toContainText("on");
  await say(page, "!text later");
  const edit = page.getByRole("button", { name: /^Edit “!text later/ });
  await edit.press("Enter");
  await expect(page.getByRole("textbox", { name: "Words of the queued message" })).toBeFocused();
  await page.keyboard.type(" on");
  await page.keyboard.press("Enter");
  await expect(queue(page)).toHaveText([/!text later on/]);
  await expect(page.getByRole("button", { name: "Edit “!text later on”" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Edit “!text later on”" })).toBeFocused();
  await page.getByRole("button", { name: "Drop the queued message “!text later on”" }).press("Enter");
  await expect(queue(page)).toHaveCount(0);
  await expect(composer(page)).toBeFocused();
});

test("Enter sends a reworded message as it sends a new one, and the composer is next; so it is after a branch came back", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text one");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await page.getByRole("log").focus();
  await page.keyboard.press("e");
  const box = page.getByRole("textbox", { name: "Message 1, to edit" });
  await expect(box).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: /^You,.*message 1/ })).toBeFocused();
  await page.keyboard.press("e");
  await page.keyboard.press("Shift+Enter");
  await expect(box).toHaveValue("!text one\n");
  await page.keyboard.press("Backspace");
  await page.keyboard.type(" more");
  await page.keyboard.press("Enter");
  await expect(turns(page)).toContainText("one more");
  await expect(composer(page)).toBeFocused();
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await page.getByRole("button", { name: /^Bring back/ }).press("Enter");
  await expect(turns(page)).not.toContainText("more");
  await expect(composer(page)).toBeFocused();
});

test("where Enter breaks the line it does so in a message that is reworded, too", async ({ drover, page }) => {
  await page.evaluate(() => localStorage.setItem("drover:enter", "breaks"));
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text one");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await page.getByRole("log").focus();
  await page.keyboard.press("e");
  await page.keyboard.press("Enter");
  await page.keyboard.type("!text two");
  await expect(page.getByRole("textbox", { name: "Message 1, to edit" })).toHaveValue("!text one\n!text two");
  await page.keyboard.press("Control+Enter");
  await expect(turns(page)).toContainText("two");
});

test("Escape leads out of the composer, and at the end of a chat the first key back is for the last message", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  for (const [before, text] of ["!text one", "!text two"].entries()) {
    await say(page, text);
    await expect(turns(page)).toHaveCount(before + 1);
    await expect(turns(page).last()).toHaveAttribute("data-status", "done");
  }
  await composer(page).fill("kept");
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await expect(turns(page).last()).toBeFocused();
  await page.keyboard.press("k");
  await expect(page.getByRole("region", { name: /^You,.*message 3/ })).toBeFocused();
  await expect(composer(page)).toHaveValue("kept");
});
