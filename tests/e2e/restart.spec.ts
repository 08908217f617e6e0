import { composer, expect, say, test, turns, words } from "../../web/e2e/fixtures.ts";

test("a daemon killed in mid-turn comes back under an open page with everything that was seen", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 20 10\n!hang");
  await expect(turns(page)).toContainText(words(20));
  await drover.kill();
  await expect(page.getByText("Drover does not answer.", { exact: false })).toBeVisible();
  await drover.run();
  await expect(page.getByText("Drover does not answer.", { exact: false })).toBeHidden();
  await expect(turns(page)).toHaveAttribute("data-status", "interrupted");
  await expect(turns(page)).toContainText(words(20));
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeHidden();
  await say(page, "!text back again");
  await expect(turns(page).last()).toContainText("back again");
});

test("a turn that was cut off can go on, and one that failed can be tried again", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 5\n!crash 3");
  await expect(turns(page)).toHaveAttribute("data-status", "interrupted");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(turns(page)).toHaveCount(2);
  await expect(turns(page).last()).toHaveAttribute("data-status", "done");
  await expect(page.getByRole("button", { name: "Retry", exact: true })).toBeHidden();
  await say(page, "!error");
  await expect(turns(page).last()).toHaveAttribute("data-status", "error");
  const failed = await turns(page).last().getAttribute("id");
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(page.locator(`[id="${failed}"]`)).toBeHidden();
  await expect(turns(page)).toHaveCount(3);
  await expect(turns(page).last()).toHaveAttribute("data-status", "error");
});

test("what could not be sent stays, and sending it again sends it once", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await expect(composer(page)).toBeVisible();
  await drover.stop();
  await say(page, "!text only once");
  await expect(page.getByRole("alert")).toContainText("Send again: it will not be doubled.");
  await expect(composer(page)).toHaveValue("!text only once");
  await drover.run();
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(turns(page)).toHaveCount(1);
  await expect(turns(page)).toContainText("only once");
  await expect(composer(page)).toHaveValue("");
});

test("an answer to a send that was lost on the way does not send twice", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await page.route("**/messages", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await say(page, "!text one of one");
  await expect(page.getByRole("alert")).toContainText("Send again: it will not be doubled.");
  await page.unroute("**/messages");
  await page.getByRole("button", { name: /^(Send|Queue)$/ }).click();
  await expect(composer(page)).toHaveValue("");
  await expect(turns(page)).toContainText("one of one");
  expect(await drover.answers(task.id)).toHaveLength(1);
});

test("a page that is opened while the daemon is away loads by itself once it is back", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text before");
  await expect(turns(page)).toContainText("before");
  await drover.stop();
  await page.getByRole("link", { name: /^Needs you/ }).click();
  await expect(page.getByText("Drover does not answer.", { exact: false })).toBeVisible();
  await drover.run();
  await page.getByRole("main").getByRole("link", { name: /!text before/ }).click();
  await expect(turns(page)).toContainText("before");
});

test("an agent that ended in mid-answer is not said to have failed to start, in a line of its own", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 5\n!crash 7");
  await expect(turns(page)).toHaveAttribute("data-status", "interrupted");
  const told = page.getByText("Scripted ended unexpectedly: exit status 7.", { exact: true });
  await expect(told.last()).toBeVisible();
  await expect(page.getByText(/could not start/)).toHaveCount(0);
  const send = page.getByRole("button", { name: "Send", exact: true });
  const agent = page.getByRole("button", { name: "Agent: Scripted" });
  const [a, b] = await Promise.all([send.boundingBox(), agent.boundingBox()]);
  expect(Math.abs((a?.y ?? 0) - (b?.y ?? 99))).toBeLessThan(4);
});
