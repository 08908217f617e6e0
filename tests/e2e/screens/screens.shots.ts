import { expect, type Page, test } from "../../../web/e2e/fixtures.ts";
import { type Screen, takePictures } from "./album.ts";
import { FORM, HOSTILE, LONG_TITLE, projectOf, RICH, SOLID_TITLE, taskOf, until } from "./world.ts";

const heading = async (page: Page): Promise<void> => expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
/** The page is there and has heard from the daemon. */
const shown = async (page: Page): Promise<void> => {
  await heading(page);
  // What is still on its way says so, or shows bones, in an element that appears late.
  await expect(page.locator(".appear-late")).toHaveCount(0);
};
const chat = async (page: Page): Promise<void> => {
  await expect(page.getByRole("log")).toBeVisible();
  await shown(page);
};
const dialog = async (page: Page): Promise<void> => expect(page.getByRole("dialog")).toBeVisible();
const SECTIONS = ["appearance", "agents", "configuration", "browsers", "about"];

test("a fresh installation", async ({ drover, page, stranger }) => {
  await takePictures(stranger, drover, [
    { name: "pairing", path: "/", ready: heading },
    { name: "pairing-failed", path: "/launch#wrong", ready: async (each) => expect(each.getByRole("alert")).toBeVisible() },
  ]);
  await takePictures(page, drover, [
    { name: "first-run", path: "/", ready: shown },
    {
      name: "first-run-error",
      path: "/",
      ready: async (each) => {
        await shown(each);
        await each.getByRole("main").getByRole("textbox").fill("/nowhere/at/all");
        await each.keyboard.press("Enter");
        await expect(each.getByRole("alert")).toBeVisible();
      },
    },
  ]);
  await page.goto("about:blank");
});

test("a busy installation", async ({ drover, page }) => {
  const parser = await projectOf(drover, "parser");
  const shop = await projectOf(drover, "shop-frontend");
  await projectOf(drover, `a-directory-${"whose-name-is-long-".repeat(8)}end`);
  const rich = await taskOf(drover, parser, "Fix the error at unterminated strings", [RICH]);
  const asking = await taskOf(drover, parser, "Clean the build directory", ["!ask p1"]);
  const failed = await taskOf(drover, shop, "Move to the new router", ["!text Looking at the routes.\n!error"]);
  const running = await taskOf(drover, shop, "Translate the checkout", ["!text I read the catalogues first.\n!tool t1\n!untilstop"]);
  await drover.send(running.id, "And then the invoice, with the new tax rates");
  const hostile = await taskOf(drover, null, SOLID_TITLE, [HOSTILE]);
  await taskOf(drover, null, LONG_TITLE, ["!text Done."]);
  const empty = await taskOf(drover, parser, "Nothing said yet", []);
  const form = await taskOf(drover, shop, "Choose a strategy", [FORM]);
  const again = await taskOf(drover, shop, "Say it otherwise", ["!text First answer"]);
  await until(drover, again, ["idle"]);
  const { messages } = await drover.api<{ messages: { id: string }[] }>("GET", `/tasks/${again.id}/chat`);
  await drover.api("POST", `/messages/${messages[1]?.id}/retry`, { nonce: crypto.randomUUID(), agent: "second" });
  await until(drover, form, ["waiting"]);
  await until(drover, again, ["idle"]);
  await until(drover, rich, ["idle"]);
  await until(drover, hostile, ["idle"]);
  await until(drover, failed, ["error"]);
  await until(drover, asking, ["waiting"]);
  await drover.api("PATCH", `/tasks/${rich.id}`, { pinned: true });
  const key = (pressed: string) => async (each: Page) => {
    await shown(each);
    await each.locator("h1").first().click();
    await each.keyboard.press(pressed);
    await dialog(each);
  };
  const screens: Screen[] = [
    { name: "inbox", path: "/", ready: shown },
    { name: "project", path: `/p/${parser}`, ready: shown },
    { name: "new-task", path: "/new", ready: shown },
    { name: "add-project", path: "/add", ready: shown },
    { name: "task", path: rich.path, ready: chat },
    { name: "task-asking", path: asking.path, ready: chat },
    { name: "task-failed", path: failed.path, ready: chat },
    { name: "task-running", path: running.path, ready: chat },
    { name: "task-hostile", path: hostile.path, ready: chat },
    { name: "task-empty", path: empty.path, ready: chat },
    { name: "task-form", path: form.path, ready: chat },
    { name: "task-set-aside", path: again.path, ready: chat },
    {
      name: "task-editing",
      path: again.path,
      ready: async (each) => {
        await chat(each);
        await each.locator("h1").first().click();
        await each.keyboard.press("e");
        await expect(each.getByRole("log").getByRole("textbox")).toBeVisible();
      },
    },
    {
      name: "prompt",
      path: again.path,
      ready: async (each) => {
        await chat(each);
        const turn = each.locator('[data-role="assistant"]').last();
        await turn.locator("button[aria-haspopup=menu]").first().click();
        await each.getByRole("menuitem").last().click();
        await dialog(each);
      },
    },
    { name: "agent", path: "/settings/agents/claude", ready: shown },
    { name: "missing-task", path: "/t/01JZZZZZZZZZZZZZZZZZZZZZZZ", ready: shown },
    { name: "missing-project", path: "/p/01JZZZZZZZZZZZZZZZZZZZZZZZ", ready: shown },
    { name: "missing-page", path: "/nowhere", ready: shown },
    ...SECTIONS.map((section) => ({ name: `settings-${section}`, path: `/settings/${section}`, ready: shown })),
    { name: "palette", path: rich.path, ready: key("Control+k") },
    { name: "keys", path: rich.path, ready: key("?") },
    {
      name: "drawer",
      path: rich.path,
      widths: (width) => width < 900,
      ready: async (each) => {
        await chat(each);
        await each.locator("header button").first().click();
        await dialog(each);
      },
    },
    {
      name: "task-menu",
      path: rich.path,
      ready: async (each) => {
        await chat(each);
        await each.locator("main header button").last().click();
        await expect(each.getByRole("menu")).toBeVisible();
      },
    },
    {
      name: "task-rename",
      path: rich.path,
      ready: async (each) => {
        await chat(each);
        await each.locator("main header button").last().click();
        await each.getByRole("menuitem").first().click();
        await dialog(each);
      },
    },
  ];
  await takePictures(page, drover, screens);
  await page.goto("about:blank");
});

test("a daemon that is away", async ({ drover, page }) => {
  const task = await taskOf(drover, await projectOf(drover, "parser"), "Fix the error at unterminated strings", [RICH]);
  await until(drover, task, ["idle"]);
  await takePictures(page, drover, [
    {
      name: "daemon-away",
      path: task.path,
      ready: async (each) => {
        await chat(each);
        await drover.kill();
        await expect(each.locator("[data-banner]")).toBeVisible({ timeout: 20_000 });
      },
      after: () => drover.run(),
    },
  ]);
  await page.goto("about:blank");
});
