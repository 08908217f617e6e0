import { composer, expect, type Locator, say, test, turns, words } from "../../web/e2e/fixtures.ts";

test("an answer streams in two tabs that agree with the daemon", async ({ drover, page }) => {
  const task = await drover.task();
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(drover.url + task.path);
  await say(page, "!say 60 20");
  await expect(turns(other)).toContainText("w5 ");
  await expect(turns(other)).not.toContainText("w59");
  for (const tab of [page, other]) await expect(turns(tab)).toContainText(words(60));
  const [answer] = await drover.answers(task.id);
  expect(answer?.text.trim()).toBe(words(60));
  for (const tab of [page, other]) {
    const done = tab.locator('[data-role="assistant"][data-status="done"]');
    await expect(done).toHaveCount(1);
    // The model that its options name, in the agent's word.
    await expect(done).toContainText("Scripted · Small · ");
  }
});

test("a reload in mid-stream loses nothing and doubles nothing", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 80 20");
  await expect(turns(page)).toContainText("w10 ");
  await page.reload();
  await expect(turns(page)).toContainText("w20 ");
  await page.reload();
  await expect(page.locator('[data-status="done"][data-role="assistant"] .md')).toHaveText(words(80));
});

test("going away and coming back, also from the back-forward cache, shows the same", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 60 20");
  await expect(turns(page)).toContainText("w3 ");
  await page.goto("about:blank");
  // A page that comes out of the cache is not loaded, so there is no load to wait for.
  await page.goBack({ waitUntil: "commit" });
  await expect(page.locator('[data-status="done"][data-role="assistant"] .md')).toHaveText(words(60));
});

/** Opens a line. What was opened just before may still move it from under the click. */
const reveal = (line: Locator, what: Locator) =>
  expect(async () => {
    if (!(await what.isVisible())) await line.click();
    await expect(what).toBeVisible({ timeout: 2_000 });
  }).toPass();

test("everything an agent can send is shown", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!think a thought\n!tool t1\n!diff\n!plan\n!unknown\n!bigtool 40");
  const turn = turns(page);
  await expect(turn).toHaveAttribute("data-status", "done");
  await reveal(turn.getByText("Thought", { exact: true }), turn.getByText("a thought"));
  await reveal(turn.getByText("Read t1"), turn.getByText("out of t1"));
  await expect(turn.getByText("/project/t1.rs:3")).toBeVisible();
  const diff = turn.getByRole("group", { name: "/project/a.txt" });
  await reveal(turn.getByText("Edit a.txt"), diff);
  await expect(diff.getByRole("row").filter({ hasText: "removed" })).toContainText("old");
  await expect(diff.getByRole("row").filter({ hasText: "added" })).toContainText("new");
  await expect(turn.getByRole("region", { name: "Plan" })).toContainText("one");
  const unknown = turn.getByText("Something this version does not know: something_from_2031");
  await reveal(unknown, turn.getByText('"sessionUpdate": "something_from_2031"'));
  await expect(turn).toContainText("after unknown");
  const all = turn.getByRole("button", { name: /Show all of out/ });
  await reveal(turn.getByText("Big", { exact: true }), all);
  await all.click();
  await expect(turn.locator(".term-line").filter({ hasText: /^y{2000}/ }).first()).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await turn.getByRole("button", { name: "Copy the text" }).last().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("y".repeat(40 * 1024));
});

test("every way to end is told", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  for (const [directive, mark] of [
    ["!sleep 1", "The answer was empty."],
    ["!refuse", "Scripted refused to answer."],
    ["!max", "Cut off at the token limit."],
    ["!error", "boom"],
    ["!crash 3", "Interrupted: the daemon or the agent ended in the middle."],
  ] as const) {
    await say(page, directive);
    await expect(turns(page).last()).toContainText(mark);
  }
  await page.reload();
  await expect(turns(page).nth(2)).toContainText("half");
  await expect(turns(page).nth(3)).toContainText("quota");
});

test("what is sent while a turn runs waits, can be dropped, and the turn can be stopped", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 5\n!hang");
  await expect(turns(page)).toContainText("w4");
  await say(page, "!text dropped");
  await say(page, "!text kept");
  const queue = page.getByRole("list", { name: "Queued messages" });
  await expect(queue.getByRole("listitem")).toHaveCount(2);
  await page.getByRole("button", { name: /Drop the queued message “!text dropped”/ }).click();
  await expect(queue.getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(turns(page).first()).toContainText("Stopped by you.");
  await expect(page.getByText("Held: you stopped the last turn.")).toBeVisible();
  await page.getByRole("button", { name: "Go on with the queue" }).click();
  await expect(turns(page).last()).toContainText("kept");
  await expect(queue).toBeHidden();
});

test("drafts are kept per task over switching and reload, and never move", async ({ drover, page }) => {
  const [first, second] = [await drover.task(), await drover.task()];
  await page.goto(drover.url + first.path);
  await composer(page).fill("draft one");
  await page.goto(drover.url + second.path);
  await expect(composer(page)).toHaveValue("");
  await composer(page).fill("draft two");
  await page.goto(`${drover.url}/new`);
  await composer(page).fill("draft new");
  await page.goto(drover.url + first.path);
  await expect(composer(page)).toHaveValue("draft one");
  await page.reload();
  await expect(composer(page)).toHaveValue("draft one");
  await page.goto(`${drover.url}/new`);
  await expect(composer(page)).toHaveValue("draft new");
});

test("the person's own text is shown as typed", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "  *not italics* <b>&amp;</b>\nsecond line");
  const own = page.locator('[data-role="user"] p');
  await expect(own).toHaveText("  *not italics* <b>&amp;</b>\nsecond line", { useInnerText: true });
});

test("options are the agent's own, and a change holds in every tab", async ({ drover, page }) => {
  const task = await drover.task();
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(drover.url + task.path);
  await page.getByRole("button", { name: "Start Scripted to see its options" }).click();
  await page.getByRole("button", { name: "Model: Small" }).click();
  await page.getByRole("menuitemradio", { name: "Large" }).click();
  for (const tab of [page, other]) await expect(tab.getByRole("button", { name: "Model: Large" })).toBeVisible();
});

test("a task asked for without its project moves to its address", async ({ drover, page }) => {
  const project = await drover.project();
  const task = await drover.task(project.id);
  await page.goto(`${drover.url}/t/${task.id}`);
  await expect(page).toHaveURL(drover.url + task.path);
  await page.goto(`${drover.url}/t/01ARZ3NDEKTSV4RRFFQ69G5FAV`);
  await expect(page.getByRole("heading", { name: "No such task" })).toBeVisible();
  await page.goto(`${drover.url}/t/nonsense`);
  await expect(page.getByRole("heading", { name: "No such task" })).toBeVisible();
  await expect(page.locator("[data-connection=live]")).toBeVisible();
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

test("a picture stays with its draft over a reload, is sent, and is shown", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  const picture = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(PIXEL, "base64") };
  await page.locator("input[type=file]").setInputFiles(picture);
  await expect(page.getByRole("button", { name: "Remove dot.png" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Remove dot.png" })).toBeVisible();
  await say(page, "!blocks");
  await expect(turns(page)).toContainText("image");
  const shown = page.getByRole("img", { name: "Image: dot.png" });
  await expect(shown).toBeVisible();
  expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await expect(page.getByRole("button", { name: "Remove dot.png" })).toBeHidden();
});

test("a task is renamed, archived and deleted, and its draft goes with it", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await composer(page).fill("left behind");
  const menu = page.getByRole("main").getByRole("button", { name: /^Actions for/ });
  await menu.click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("A better name");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "A better name", level: 1 })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
  await menu.click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect(page.getByText("This task is archived.")).toBeVisible();
  await menu.click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(`${drover.url}/`);
  expect(await page.evaluate((id) => localStorage.getItem(`drover:draft:task:${id}`), task.id)).toBeNull();
});
