import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { composer, type Drover, expect, expectAccessible, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";

/** Leaves the daemon with no agent but the one that is built in, whatever this machine has. */
async function removeAgents(drover: Drover): Promise<void> {
  const { agents } = await drover.api<{ agents: { id: string; source: string }[] }>("GET", "/agents");
  const builtin = agents.filter(({ id, source }) => source === "builtin" && id !== "tour");
  const nowhere = builtin.map(({ id }) => `[agents.${id}]\nenv = { PATH = "/nowhere" }\n`);
  writeFileSync(join(drover.dataDir, "agents.toml"), nowhere.join(""));
}

/** Everything the walk shows, a yes to its question and a name in its form. */
async function expectWalk(page: Page, words: { yes: string; name: string; written: string; last: string }): Promise<void> {
  await page.getByRole("button", { name: words.yes }).first().click();
  const name = page.getByRole("textbox", { name: words.name });
  await name.fill("Ada");
  await expectAccessible(page);
  await page.getByRole("button", { name: /^(Send to|发送给) Tour$/ }).click();
  const answer = turns(page).first();
  await expect(answer).toContainText(words.last, { timeout: 30_000 });
  await expect(answer).toContainText(words.written);
  await expect(answer).toContainText("Ada");
  await expect(answer.getByRole("table").first()).toBeVisible();
  await expect(answer.getByRole("listitem").first()).toBeVisible();
  await expect(answer.locator("pre code").first()).toBeVisible();
  await expect(answer.locator("blockquote").first()).toBeVisible();
  await expect(answer.getByRole("img").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Stop|停止)/ })).toHaveCount(0);
}

test("a machine without agents is offered the tour, which answers at once with everything", async ({ drover, page }) => {
  await removeAgents(drover);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Welcome to Drover" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Take the tour" }).click();
  await expect(page).toHaveURL(/\/t\/\w+$/);
  await expect(composer(page)).toBeFocused();
  await expect(turns(page)).toContainText("I am Tour");
  await expectWalk(page, { yes: "Yes, write it", name: "What shall I call you?", written: "I wrote the greeting", last: "That was the walk" });
  await expect(page).toHaveTitle(/A tour of Drover/);
  await expectAccessible(page);
  await say(page, "How do I install Claude?");
  await expect(turns(page).last()).toContainText("I am no model");
});

test("in Chinese the tour speaks Chinese", async ({ drover, page, context }) => {
  await removeAgents(drover);
  await context.addCookies([{ name: "drover_lang", value: "zh", url: drover.url }]);
  await page.goto(`${drover.url}/new`);
  await expect(page.getByRole("button", { name: "开始导览" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "开始导览" }).click();
  await expect(turns(page)).toContainText("我是 Tour");
  await expectWalk(page, { yes: "可以，写吧", name: "怎么称呼你？", written: "我把问候写进了", last: "导览到此结束" });
  await expectAccessible(page);
});

test("without other agents a new task goes to the tour, and with one the tour is not offered", async ({ drover, page }) => {
  await page.goto(`${drover.url}/new`);
  await expect(page.getByRole("button", { name: "Agent: Scripted" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Take the tour" })).toHaveCount(0);
  await removeAgents(drover);
  await page.reload();
  await expect(page.getByRole("button", { name: "Agent: Tour" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Take the tour" })).toBeVisible();
  await composer(page).fill("/plan");
  await composer(page).press("Enter");
  await expect(turns(page)).toContainText("A plan is a list");
});
