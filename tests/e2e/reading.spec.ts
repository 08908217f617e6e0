import { type Drover, expect, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";

/** A chat of many turns, the last of which is settled. */
async function longChat(drover: Drover, count: number): Promise<string> {
  const task = await drover.task();
  for (let n = 0; n < count; n += 1) await drover.send(task.id, `!text answer ${n}\n!say 60`);
  await expect.poll(async () => (await drover.answers(task.id)).at(-1)?.status, { timeout: 45_000 }).toBe("done");
  return task.path;
}

const log = (page: Page) => page.getByRole("log");

/** Where the first turn in sight stands on the screen. */
const placeOf = (page: Page, id: string) => page.locator(`[id="${id}"]`).evaluate((turn) => turn.getBoundingClientRect().top);

async function firstInSight(page: Page): Promise<string> {
  return log(page).evaluate((box) => {
    const top = box.getBoundingClientRect().top;
    return [...box.querySelectorAll("section[id]")].find((turn) => turn.getBoundingClientRect().bottom > top + 40)?.id ?? "";
  });
}

test("who reads back is not moved by what arrives, and is told that something did", async ({ drover, page }) => {
  await page.goto(drover.url + (await longChat(drover, 12)));
  await expect(turns(page).last()).toBeInViewport();
  await say(page, "!say 120 20");
  await expect(turns(page).last()).toContainText("w5 ");
  await log(page).hover();
  await page.mouse.wheel(0, -1_200);
  await expect(page.getByRole("button", { name: /^(To the end|New below)$/ })).toBeVisible();
  const id = await firstInSight(page);
  const before = await placeOf(page, id);
  await expect(page.locator('[data-role="assistant"]').last()).toHaveAttribute("data-status", "done");
  expect(Math.abs((await placeOf(page, id)) - before)).toBeLessThan(2);
  await page.getByRole("button", { name: /^(To the end|New below)$/ }).click();
  await expect(page.getByRole("button", { name: /^(To the end|New below)$/ })).toBeHidden();
  await log(page).hover();
  await page.mouse.wheel(0, -1_200);
  await say(page, "!text after my own");
  await expect(turns(page).last()).toContainText("after my own");
  await expect(turns(page).last()).toBeInViewport();
});

test("older messages come on the way up and leave the reader where he is", async ({ drover, page }) => {
  test.setTimeout(120_000);
  await page.goto(drover.url + (await longChat(drover, 40)));
  await expect(turns(page)).toHaveCount(25);
  await log(page).evaluate((box) => box.scrollTo({ top: 260 }));
  const id = await firstInSight(page);
  const before = await placeOf(page, id);
  await log(page).hover();
  await page.mouse.wheel(0, -100);
  await expect(turns(page)).toHaveCount(40);
  expect(Math.abs((await placeOf(page, id)) - before - 100)).toBeLessThan(2);
  await expect(turns(page).first()).toContainText("answer 0");
  await expect(page.getByRole("button", { name: "Load older messages" })).toBeHidden();
});

test("an address that names a message shows it, also one that is not loaded yet", async ({ drover, page }) => {
  test.setTimeout(120_000);
  const path = await longChat(drover, 40);
  const task = path.split("/").at(-1);
  const { messages } = await drover.api<{ messages: { id: string }[] }>("GET", `/tasks/${task}/chat?limit=80`);
  const wanted = messages[5]?.id ?? "";
  await page.goto(`${drover.url}${path}#${wanted}`);
  await expect(page.locator(`[id="${wanted}"]`)).toBeInViewport();
});
