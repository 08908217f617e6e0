import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectAccessible, say, test, turns } from "../../web/e2e/fixtures.ts";

test("a message is reworded, what followed is set aside and comes back", async ({ drover, page }) => {
  const task = await drover.task();
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(drover.url + task.path);
  await say(page, "first\n!text one");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await say(page, "second\n!text two");
  await expect(turns(page)).toHaveCount(2);
  await expect(turns(page).last()).toHaveAttribute("data-status", "done");

  await page.getByRole("button", { name: "Actions for message 3, You" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const box = page.getByRole("textbox", { name: "Message 3, to edit" });
  await expect(box).toBeFocused();
  await expect(box).toHaveValue("second\n!text two");
  await expect(page.getByText("What followed, 1 message, is set aside and can be brought back.")).toBeVisible();
  await expectAccessible(page);
  await box.fill("second\n!text instead");
  await page.keyboard.press("Control+Enter");
  for (const tab of [page, other]) {
    await expect(turns(tab).last()).toContainText("instead");
    await expect(tab.getByText("two", { exact: true })).toBeHidden();
    await expect(tab.getByText("2 messages set aside", { exact: false })).toBeVisible();
  }
  await expect(turns(page).last()).toHaveAttribute("data-status", "done");

  await other.getByRole("button", { name: /^Bring back/ }).click();
  for (const tab of [page, other]) {
    await expect(turns(tab).last()).toContainText("two");
    await expect(tab.getByText("instead", { exact: true })).toBeHidden();
  }
});

test("an answer is tried again with another agent, by hand and by key", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text hello");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await page.getByRole("button", { name: "Actions for message 2, Scripted" }).click();
  await page.getByRole("menuitem", { name: "Retry with Second" }).click();
  await expect(turns(page).getByRole("heading")).toHaveText(/^Second/);
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  const before = await turns(page).getAttribute("id");
  await page.getByRole("log").focus();
  await page.keyboard.press("r");
  await expect(page.locator(`[id="${before}"]`)).toBeHidden();
  await expect(turns(page)).toHaveCount(1);
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await page.keyboard.press("e");
  await expect(page.getByRole("textbox", { name: "Message 1, to edit" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("textbox", { name: "Message 1, to edit" })).toBeHidden();
});

test("nothing of a chat can be changed while an agent works on it", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text on\n!hang");
  await expect(turns(page)).toContainText("on");
  await page.getByRole("button", { name: "Actions for message 1, You" }).click();
  await expect(page.getByRole("menuitem", { name: "Edit" })).toBeDisabled();
});

test("a tool call that a crash cut off is called unknown, with what changed on disk since", async ({ drover, page }) => {
  execFileSync("git", ["init", "-q", drover.demo]);
  const { id } = await drover.project();
  const task = await drover.task(id);
  await page.goto(drover.url + task.path);
  await say(page, "!pendingtool z\n!text on\n!hang");
  await expect(turns(page)).toContainText("on");
  writeFileSync(join(drover.demo, "written by it.txt"), "1");
  await drover.kill();
  await drover.run();
  await expect(turns(page)).toHaveAttribute("data-status", "interrupted");
  await expect(turns(page)).toContainText("A tool call was cut off: it may have happened or not.");
  await turns(page).getByText("What changed on disk since this turn began").click();
  await expect(turns(page).getByRole("list", { name: "Changed files" })).toContainText("written by it.txt");
  await expectAccessible(page);
});
