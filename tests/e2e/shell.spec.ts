import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { composer, expect, expectAccessible, type Page, pair, say, test, turns } from "../../web/e2e/fixtures.ts";
import { projectOf, taskOf, until } from "./screens/world.ts";

const rail = (page: Page) => page.getByRole("navigation", { name: "Projects and tasks" });
const palette = (page: Page) => page.getByRole("dialog", { name: "Search and commands" });
const search = (page: Page) => page.getByRole("combobox", { name: "Search tasks, projects and actions" });

test("the palette finds tasks by title and by what was said, and does things", async ({ drover, page }) => {
  const project = await projectOf(drover, "parser");
  const task = await taskOf(drover, project, "Fix the lexer", ["!text the heliotrope is blooming"]);
  await until(drover, task, ["idle"]);
  await page.goto(drover.url);
  await expect(rail(page)).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("lexer");
  await expect(palette(page).getByRole("option", { name: /Fix the lexer/ })).toHaveAttribute("data-highlighted", "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`${task.path}$`));
  await page.goto(drover.url);
  await expect(rail(page)).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("heliotrope");
  await expect(palette(page).getByText("Found in messages")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`${task.path}$`));
  await page.keyboard.press("Control+k");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("theme dark");
  await expect(palette(page).getByRole("option", { name: "Theme: Dark" })).toHaveAttribute("data-highlighted", "");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(palette(page)).toBeHidden();
});

test("Enter that ends a composition chooses nothing in the palette, and Escape closes only the topmost layer", async ({ drover, page }) => {
  await drover.project();
  await page.goto(drover.url);
  await expect(rail(page)).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(search(page)).toBeFocused();
  await search(page).evaluate((field) => {
    field.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, isComposing: true, bubbles: true, cancelable: true }));
  });
  await expect(palette(page)).toBeVisible();
  await search(page).evaluate((field) => field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true })));
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  await expect(page).toHaveURL(`${drover.url}/`);
});

test("keys act outside of text fields only, and can be turned off", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await composer(page).fill("a");
  await composer(page).press("?");
  await expect(composer(page)).toHaveValue("a?");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Search and commands")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await expect(page).toHaveURL(drover.url + task.path);
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("c");
  await expect(composer(page)).toBeFocused();
  await page.goto(`${drover.url}/settings/appearance`);
  await page.getByRole("group", { name: /Keys without Ctrl/ }).getByRole("radio", { name: "Off" }).check();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeVisible();
  await expect(help).toBeHidden();
});

test("a full stop ends the turn", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text on it\n!untilstop");
  await expect(turns(page)).toContainText("on it");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press(".");
  await expect(turns(page)).toHaveAttribute("data-status", "cancelled");
});

test("projects are put in order by keyboard, by menu and by dragging, in every tab", async ({ drover, page }) => {
  for (const name of ["alpha", "beta", "gamma"]) await projectOf(drover, name);
  await page.goto(drover.url);
  const other = await page.context().newPage();
  await other.goto(drover.url);
  const names = (tab: Page) => rail(tab).locator("h2 a");
  await expect(names(page)).toHaveText(["alpha", "beta", "gamma"]);
  await names(page).nth(0).focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(names(page)).toHaveText(["beta", "alpha", "gamma"]);
  await expect(names(page).nth(1)).toBeFocused();
  await expect(page.getByRole("status")).toHaveText("alpha is now number 2 of 3.");
  await expect(names(other)).toHaveText(["beta", "alpha", "gamma"]);
  await names(page).nth(2).dragTo(names(page).nth(0));
  await expect(names(page)).toHaveText(["gamma", "beta", "alpha"]);
  await rail(page).getByRole("button", { name: "Actions for gamma" }).click();
  await page.getByRole("menuitem", { name: "Move down" }).click();
  await page.reload();
  await expect(names(page)).toHaveText(["beta", "gamma", "alpha"]);
});

test("a folded project still shows what needs somebody", async ({ drover, page }) => {
  const project = await projectOf(drover, "parser");
  await until(drover, await taskOf(drover, project, "Quiet one", []), ["idle"]);
  await until(drover, await taskOf(drover, project, "Asking one", ["!ask p1"]), ["waiting"]);
  await page.goto(drover.url);
  await rail(page).getByRole("button", { name: "Hide the tasks of parser" }).click();
  await expect(rail(page).getByRole("link", { name: /Asking one/ })).toBeVisible();
  await expect(rail(page).getByRole("link", { name: /Quiet one/ })).toBeHidden();
  await page.reload();
  await expect(rail(page).getByRole("button", { name: "Show the tasks of parser" })).toBeVisible();
});

test("the inbox tells questions, failures and answers apart, and its title counts them", async ({ drover, page }) => {
  const project = await projectOf(drover, "parser");
  await until(drover, await taskOf(drover, project, "Asks", ["!ask p1"]), ["waiting"]);
  await until(drover, await taskOf(drover, project, "Fails", ["!error"]), ["error"]);
  await until(drover, await taskOf(drover, project, "Ends", ["!text done"]), ["idle"]);
  await page.goto(drover.url);
  await expect(page.getByRole("region", { name: "Waiting for your answer" }).getByRole("link")).toHaveText(/Asks/);
  await expect(page.getByRole("region", { name: "Failed or interrupted" }).getByRole("link")).toHaveText(/Fails/);
  await expect(page.getByRole("region", { name: "Finished, not read yet" }).getByRole("link")).toHaveText(/Ends/);
  await expect(page).toHaveTitle("(3) · Inbox · Drover");
  await page.getByRole("main").getByRole("button", { name: "Actions for Ends" }).click();
  await page.getByRole("menuitem", { name: "Mark as read" }).click();
  await expect(page).toHaveTitle("(2) · Inbox · Drover");
});

test("a name that is too long is told, not cut", async ({ drover, page }) => {
  const project = await projectOf(drover, "parser");
  await page.goto(`${drover.url}/p/${project}`);
  await page.getByRole("main").getByRole("button", { name: "Actions for parser" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("n".repeat(121));
  await expect(page.getByText("121 characters are too many; at most 120 are kept.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
  await name.fill("Lexer");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Lexer", level: 1 })).toBeVisible();
});

test("a project goes with or without its tasks", async ({ drover, page }) => {
  const project = await projectOf(drover, "parser");
  await taskOf(drover, project, "Going too", []);
  await page.goto(`${drover.url}/p/${project}`);
  await page.getByRole("main").getByRole("button", { name: "Actions for parser" }).click();
  await page.getByRole("menuitem", { name: "Remove from Drover" }).click();
  await page.getByRole("radio", { name: "Delete them too" }).check();
  await page.getByRole("button", { name: "Remove and delete the tasks" }).click();
  await expect(page).toHaveURL(`${drover.url}/`);
  await expect(rail(page).getByRole("link", { name: /Going too/ })).toHaveCount(0);
  expect(existsSync(join(drover.home, "work", "parser"))).toBe(true);
});

test("a task in which an agent works is stopped and then deleted", async ({ drover, page }) => {
  const project = await projectOf(drover, "parser");
  const task = await taskOf(drover, project, "Busy one", ["!text on it\n!ask p1"]);
  await until(drover, task, ["waiting"]);
  await page.goto(drover.url + task.path);
  await page.getByRole("main").getByRole("button", { name: "Actions for Busy one" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Stop and delete" }).click();
  await expect(page).toHaveURL(`${drover.url}/p/${project}`);
  await expect(rail(page).getByRole("link", { name: /Busy one/ })).toHaveCount(0);
});

test("addresses of what is gone lead back", async ({ drover, page }) => {
  for (const path of ["/t/01JZZZZZZZZZZZZZZZZZZZZZZZ", "/p/01JZZZZZZZZZZZZZZZZZZZZZZZ", "/nowhere"]) {
    await page.goto(drover.url + path);
    await page.getByRole("link", { name: "Go to the inbox" }).click();
    await expect(page).toHaveURL(`${drover.url}/`);
  }
});

test("settings of the daemon are changed with their errors at the field", async ({ drover, page }) => {
  await page.goto(`${drover.url}/settings/configuration`);
  const runs = page.getByRole("textbox", { name: "Agents at work at the same time" });
  await runs.fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(runs).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("but must be between 1 and 64")).toBeVisible();
  await expectAccessible(page);
  await runs.fill("3");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status")).toHaveText("The settings are saved.");
  const { settings } = await drover.api<{ settings: { max_active_runs: number } }>("GET", "/settings");
  expect(settings.max_active_runs).toBe(3);
});

test("a daemon that is away is told with the next try, and its return too", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await composer(page).fill("half a sentence");
  await drover.kill();
  const banner = page.locator("[data-banner=down]");
  await expect(banner).toBeVisible({ timeout: 20_000 });
  await expect(banner).toContainText(/Next try in \d+ s|Trying…/);
  await expect(page.getByRole("status")).toHaveText("The daemon does not answer.");
  await expectAccessible(page);
  await drover.run();
  await expect(banner).toBeHidden({ timeout: 20_000 });
  await expect(page.getByRole("status")).toHaveText("Connected again.");
  await expect(composer(page)).toHaveValue("half a sentence");
});

test("a used link is no matter to a browser that is paired", async ({ drover, page }) => {
  const link = await drover.launchLink();
  await pair(page, drover);
  const other = await page.context().newPage();
  await other.goto(link);
  await expect(rail(other)).toBeVisible();
  const again = await page.context().newPage();
  await again.goto(link);
  await expect(again).toHaveURL(`${drover.url}/`);
  await expect(rail(again)).toBeVisible();
});

test("an agents.toml with an error is told across the top", async ({ drover, page }) => {
  writeFileSync(join(drover.dataDir, "agents.toml"), "[agents.broken\n");
  await page.goto(drover.url);
  await expect(page.locator("[data-banner=broken-file]")).toContainText("agents.toml");
  await page.getByRole("link", { name: "See what is wrong" }).click();
  await expect(page).toHaveURL(/\/settings\/agents$/);
});
