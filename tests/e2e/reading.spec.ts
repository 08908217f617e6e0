import { type Drover, expect, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";

/** A chat of many turns, the last of which is settled. */
async function longChat(drover: Drover, count: number): Promise<{ id: string; path: string }> {
  const task = await drover.task();
  for (let n = 0; n < count; n += 1) await drover.send(task.id, `!text answer ${n} \n!say 60`);
  await expect.poll(async () => (await drover.answers(task.id)).at(-1)?.status, { timeout: 60_000 }).toBe("done");
  return task;
}

const log = (page: Page) => page.getByRole("log");
const toEnd = (page: Page) => page.getByRole("button", { name: /^(To the end|[\d,]+ new (messages?|lines?))$/ });

/** Where a turn stands on the screen. */
const placeOf = (page: Page, id: string) => page.locator(`[id="${id}"]`).evaluate((turn) => turn.getBoundingClientRect().top);

async function firstInSight(page: Page): Promise<string> {
  return log(page).evaluate((box) => {
    const top = box.getBoundingClientRect().top;
    return [...box.querySelectorAll("section[id]")].find((turn) => turn.getBoundingClientRect().bottom > top + 40)?.id ?? "";
  });
}

/** Pixels between what is shown and the end. */
const left = (page: Page) => log(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);

/** Scrolls by hand, and waits for the list to have come to rest. */
async function wheel(page: Page, pixels: number): Promise<void> {
  const before = await log(page).evaluate((box) => box.scrollTop);
  await log(page).hover();
  await page.mouse.wheel(0, pixels);
  await expect.poll(() => log(page).evaluate((box) => box.scrollTop)).not.toBe(before);
  await expect(log(page).locator(":scope > div > div").last()).not.toHaveCSS("pointer-events", "none");
}

test("a chat that is opened, left and opened again is at its end each time", async ({ drover, page }) => {
  const task = await drover.task();
  const long = "A paragraph that is long enough to go around in the pane. ".repeat(12);
  for (let n = 0; n < 8; n += 1) await drover.send(task.id, `!text # Heading ${n}: ${long}\n!tool t1`);
  await expect.poll(async () => (await drover.answers(task.id)).at(-1)?.status, { timeout: 60_000 }).toBe("done");
  for (const again of [false, true]) {
    await page.goto(drover.url + task.path);
    for (const back of again ? ["back", "link"] : ["back"]) {
      await expect(turns(page).last()).toContainText("Heading 7");
      await expect.poll(() => left(page)).toBeLessThan(2);
      await page.locator('a[href="/"]').first().click();
      await expect(turns(page)).toHaveCount(0);
      if (back === "back") await page.goBack();
      else await page.getByRole("link", { name: /Heading 0/ }).first().click();
    }
    await expect(turns(page).last()).toContainText("Heading 7");
    await expect.poll(() => left(page)).toBeLessThan(2);
  }
});

test("who reads back is not moved by what arrives, and is told how much did", async ({ drover, page }) => {
  await page.goto(drover.url + (await longChat(drover, 12)).path);
  await expect(turns(page).last()).toBeInViewport();
  await say(page, "!say 150 20\n!tool t1");
  await expect(turns(page).last()).toContainText("w5 ");
  await wheel(page, -900);
  await expect(toEnd(page)).toBeVisible();
  const id = await firstInSight(page);
  const before = await placeOf(page, id);
  await expect(toEnd(page)).toHaveText(/new lines?$/);
  await expect.poll(async () => (await drover.answers((page.url().split("/").at(-1) ?? "").split("#")[0] ?? "")).at(-1)?.status, { timeout: 20_000 }).toBe("done");
  expect(Math.abs((await placeOf(page, id)) - before)).toBeLessThan(2);
  await toEnd(page).click();
  await expect(toEnd(page)).toBeHidden();
  expect(await left(page)).toBeLessThan(2);
  await wheel(page, -900);
  await say(page, "!text after my own");
  await expect(turns(page).last()).toContainText("after my own");
  await expect(turns(page).last()).toBeInViewport();
});

test("in one long answer too the line under the eye stays, and what is selected stays selected", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 800\n!say 600 10");
  await expect(turns(page)).toContainText("w799 ");
  await wheel(page, -400);
  const chosen = await log(page).evaluate((box) => {
    const paragraph = box.querySelector('[data-role="user"]');
    getSelection()?.selectAllChildren(paragraph ?? box);
    return getSelection()?.toString();
  });
  const place = () => turns(page).evaluate((turn) => turn.getBoundingClientRect().top);
  const before = await place();
  await expect(toEnd(page)).toBeVisible();
  await expect(page.locator('[data-role="assistant"][data-status="done"]')).toHaveCount(1, { timeout: 30_000 });
  expect(Math.abs((await place()) - before)).toBeLessThan(2);
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(chosen);
});

test("what is selected stays selected, however far it is scrolled away", async ({ drover, page }) => {
  const { path } = await longChat(drover, 24);
  await page.goto(drover.url + path);
  await expect(turns(page).last()).toBeInViewport();
  const selected = () => page.evaluate(() => getSelection()?.toString() ?? "");
  await turns(page).last().evaluate((turn) => {
    const before = turn.closest("[role=log]")?.querySelectorAll('[data-role="assistant"] .md') ?? [];
    getSelection()?.selectAllChildren(before[before.length - 2] ?? turn);
  });
  const text = await selected();
  expect(text).toContain("answer 22");
  for (let step = 0; step < 4; step += 1) await wheel(page, -1_200);
  await expect(turns(page).last()).not.toBeInViewport();
  expect(await selected()).toBe(text);
});

test("older messages come on the way up and leave the reader where he is", async ({ drover, page }) => {
  test.setTimeout(150_000);
  await page.goto(drover.url + (await longChat(drover, 60)).path);
  await expect(turns(page).last()).toContainText("answer 59 ");
  // Not all that is loaded is in the page.
  expect(await turns(page).count()).toBeLessThan(30);
  const older = page.getByRole("button", { name: "Load older messages" });
  await log(page).evaluate((box) => box.scrollTo({ top: 1_200 }));
  await expect(older).toBeVisible();
  await wheel(page, -60);
  const id = await firstInSight(page);
  const before = await placeOf(page, id);
  const height = await log(page).evaluate((box) => box.scrollHeight);
  await older.evaluate((button) => (button as HTMLButtonElement).click());
  await expect.poll(() => log(page).evaluate((box) => box.scrollHeight)).toBeGreaterThan(height + 1_000);
  expect(Math.abs((await placeOf(page, id)) - before)).toBeLessThan(2);
  await expect(older).toBeHidden();
  await log(page).evaluate((box) => box.scrollTo({ top: 0 }));
  await expect(turns(page).first()).toContainText("answer 0 ");
});

test("an address that names a message shows it, also one that is not loaded yet", async ({ drover, page }) => {
  test.setTimeout(150_000);
  const { id, path } = await longChat(drover, 60);
  const { messages } = await drover.api<{ messages: { id: string }[] }>("GET", `/tasks/${id}/chat?limit=200`);
  const wanted = messages[5]?.id ?? "";
  await page.goto(`${drover.url}${path}#${wanted}`);
  await expect(page.locator(`[id="${wanted}"]`)).toBeInViewport();
  await expect(page.locator(`[id="${wanted}"]`)).toBeFocused();
  await expect(toEnd(page)).toBeVisible();
});

test("keys go from turn to turn, also to those that are not in the page", async ({ drover, page }) => {
  const { id, path } = await longChat(drover, 14);
  const { messages } = await drover.api<{ messages: { id: string }[] }>("GET", `/tasks/${id}/chat?limit=200`);
  await page.goto(drover.url + path);
  await expect(turns(page).last()).toBeInViewport();
  const turn = (place: number) => page.locator(`[id="${messages.at(place)?.id}"]`);
  await turn(-1).focus();
  for (let back = 2; back <= 20; back += 1) {
    await page.keyboard.press("k");
    await expect(turn(-back)).toBeFocused();
    await expect(turn(-back)).toBeInViewport();
  }
  await page.keyboard.press("j");
  await expect(turn(-19)).toBeFocused();
  await expect(turn(-19)).toHaveAccessibleName(/^Scripted, .*, done, message \d+$/);
});

test("once the whole chat is in sight nothing is said to be below it", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 2000");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await page.getByRole("log").focus();
  await page.keyboard.press("Home");
  await expect(toEnd(page)).toBeVisible();
  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: "Message 1, to edit" }).fill("!text short");
  await page.keyboard.press("Control+Enter");
  await expect(turns(page)).toContainText("short");
  await expect(toEnd(page)).toBeHidden();
});
