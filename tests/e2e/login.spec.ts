import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectAccessible, test, turns, type Drover } from "../../web/e2e/fixtures.ts";

/** Has the scripted agent want a login. */
function lock(drover: Drover): void {
  drover.describeAgents({ AGENT_AUTH: join(drover.root, "account") });
}

test("a turn that wants a login offers it without taking the focus, and goes on after it", async ({ drover, page }) => {
  lock(drover);
  const task = await drover.task((await drover.project()).id);
  await page.goto(drover.url + task.path);
  const words = page.getByRole("textbox", { name: "Message" });
  await words.fill("!text hello");
  await words.press("Enter");
  await words.pressSequentially("the next");
  const sheet = page.getByRole("region", { name: "Log in to Scripted" });
  await expect(sheet.getByText("Uses the key of this machine")).toBeVisible();
  await expect(turns(page).locator("[data-stage=login]")).toBeVisible();
  await expect(words).toBeFocused();
  await expect(words).toHaveValue("the next");
  await expect(sheet.getByText("Not supported here")).toBeVisible();
  await expect(sheet.getByText(/Set SCRIPTED_KEY in your environment/)).toBeVisible();
  await expectAccessible(page);
  if (process.env.SHOT_WAIT) await page.screenshot({ path: process.env.SHOT_WAIT });
  await sheet.getByRole("button", { name: /API key/ }).click();
  await expect(sheet).toBeHidden();
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await expect(turns(page)).toContainText("hello");
});

test("a login that does not help ends the turn, which then offers it once more", async ({ drover, page }) => {
  lock(drover);
  const task = await drover.task((await drover.project()).id);
  await page.goto(drover.url + task.path);
  await drover.send(task.id, "!text hello");
  await page.getByRole("button", { name: /says yes and does nothing/ }).click();
  await expect(turns(page)).toHaveAttribute("data-status", "error");
  await page.getByRole("button", { name: "Log in to Scripted" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /API key/ }).click();
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await expect(turns(page)).toContainText("hello");
});

test("a login in the terminal of the page works by the keyboard and survives a reload", async ({ drover, page }) => {
  lock(drover);
  const task = await drover.task((await drover.project()).id);
  await page.goto(drover.url + task.path);
  await drover.send(task.id, "!text inside");
  await page.getByRole("button", { name: /In the terminal/ }).click();
  const terminal = page.getByRole("group", { name: "Login terminal of Scripted" });
  await expect(terminal).toContainText("the word?");
  await page.reload();
  await expect(terminal).toContainText("the word?");
  await page.keyboard.press("Control+Shift+Escape");
  await expect(page.getByText("leaves the terminal")).toBeFocused();
  await terminal.click();
  await page.keyboard.type("open");
  await expect(terminal).toContainText("open");
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  await page.keyboard.press("Enter");
  await expect(terminal).toBeHidden();
  await expect(turns(page)).toContainText("inside");
});

test("a login elsewhere needs nothing but a word", async ({ drover, page }) => {
  lock(drover);
  const task = await drover.task((await drover.project()).id);
  await page.goto(drover.url + task.path);
  await drover.send(task.id, "!text back");
  await expect(page.getByRole("region", { name: "Log in to Scripted" })).toBeVisible();
  writeFileSync(join(drover.root, "account"), "elsewhere");
  await page.getByRole("button", { name: "I have logged in elsewhere" }).click();
  await expect(turns(page)).toContainText("back");
});
