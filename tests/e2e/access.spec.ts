import { composer, expect, expectAccessible, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";

const LOOKS = [
  { theme: "light", lang: "en" },
  { theme: "dark", lang: "zh" },
] as const;

async function dress(page: Page, url: string, look: (typeof LOOKS)[number]): Promise<void> {
  await page.context().addCookies([
    { name: "drover_theme", value: look.theme, url },
    { name: "drover_lang", value: look.lang, url },
  ]);
}

for (const look of LOOKS) {
  test(`no screen breaks a rule of accessibility (${look.theme}, ${look.lang})`, async ({ drover, page, stranger }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await dress(page, drover.url, look);
    await page.goto(drover.url);
    await expect(page.getByRole("main").getByRole("textbox")).toBeVisible();
    await expectAccessible(page);

    const project = await drover.project();
    const task = await drover.task(project.id);
    await drover.send(task.id, "!think hm\n!tool t1\n!diff\n!plan\n!unknown\n!text | a | b |\n!text # Head\n!error");
    await page.goto(`${drover.url}/p/${project.id}`);
    await expect(page.getByRole("main").locator("li a")).toBeVisible();
    await expectAccessible(page);
    await page.goto(drover.url + task.path);
    await expect(turns(page)).toHaveAttribute("data-status", "error");
    for (const summary of await turns(page).locator("summary").all()) await summary.click();
    await expectAccessible(page);

    await drover.send(task.id, "!ask p1");
    await expect(page.locator("[data-request]")).toBeVisible();
    await expectAccessible(page);
    await page.locator("main header button").click();
    await page.getByRole("menuitem").first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();

    for (const section of ["appearance", "agents", "configuration", "browsers", "about"]) {
      await page.goto(`${drover.url}/settings/${section}`);
      await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("networkidle");
      await expectAccessible(page);
    }
    await page.goto(drover.url);
    await expect(page.getByRole("main").locator("li a")).toBeVisible();
    await expectAccessible(page);

    await dress(stranger, drover.url, look);
    await stranger.goto(drover.url);
    // The button is the page's own; the heading is in the shell already.
    await expect(stranger.getByRole("main").getByRole("button")).toBeVisible();
    await expectAccessible(stranger);
  });
}

test("a task is done by keyboard alone", async ({ drover, page }) => {
  const project = await drover.project();
  await page.goto(`${drover.url}/p/${project.id}`);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type("!ask p1");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/t\//);
  const allow = page.getByRole("button", { name: "Allow once: rm -rf build" });
  await expect(allow).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await allow.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(allow).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(turns(page)).toContainText('"optionId": "yes"');
});

test("the end of a turn and a question are announced in one polite region", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  const region = page.getByRole("status");
  await say(page, "!text hello");
  await expect(region).toHaveText("Scripted has answered.");
  await say(page, "!ask p1");
  await expect(region).toHaveText("Scripted asks: rm -rf build");
  await expect(page.locator("[aria-live=assertive]")).toHaveCount(0);
});

test("a narrow screen has no sideways scrolling and keeps the composer in sight", async ({ drover, page }) => {
  const task = await drover.task();
  await drover.send(task.id, `!text ${"x".repeat(500)}\n!text | a | b | c |\n!diff`);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(drover.url + task.path);
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await sideways()).toBe(0);
  await page.getByRole("button", { name: "Show projects and tasks" }).click();
  await expect(page.getByRole("navigation", { name: "Projects and tasks" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 360, height: 300 });
  await expect(composer(page)).toBeInViewport();
  await expect(page.getByRole("button", { name: "Send" })).toBeInViewport();
  expect(await sideways()).toBe(0);
});

test("the theme and the language are kept and set before the first paint", async ({ drover, page }) => {
  await page.goto(`${drover.url}/settings/appearance`);
  await page.getByRole("radio", { name: "Dark" }).check();
  await page.getByRole("radio", { name: "简体中文" }).check();
  await expect(page.getByRole("heading", { name: "设置" })).toBeVisible();
  const shell = await (await page.context().request.get(`${drover.url}/settings/appearance`)).text();
  expect(shell).toContain('data-theme="dark"');
  expect(shell).toMatch(/lang="zh/);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("heading", { name: "设置" })).toBeVisible();
});
