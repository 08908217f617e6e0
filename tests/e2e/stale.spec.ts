import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { composer, type Drover, expect, say, test, turns } from "../../web/e2e/fixtures.ts";

test("a store that cannot write is told across the top, what is refused stays, and work goes on once it can", async ({ drover, page }) => {
  test.skip(process.platform !== "linux", "a process can be kept from writing on Linux only");
  await drover.stop();
  // Or the limit would end it, which a full disk does not.
  drover.launcher = ["sh", "-c", 'trap "" XFSZ; exec "$@"', "sh"];
  await drover.run();
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text before");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  const limit = (size: string) => execFileSync("prlimit", ["--pid", String(drover.pid), `--fsize=${size}:`]);
  limit("0");
  const banner = page.locator("[data-banner=store]");
  await expect(async () => {
    await say(page, `!text ${"y".repeat(20_000)}`);
    await expect(banner).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(banner).toContainText(/The disk is full|Drover cannot write its data/);
  await expect(page.getByRole("alert")).toContainText("Not sent. Your text is still here.");
  expect(await composer(page).inputValue()).toMatch(/^!text y+$/);
  await expect(turns(page).first()).toContainText("before");
  limit("unlimited");
  await composer(page).fill("!text after");
  await expect(async () => {
    await page.getByRole("button", { name: /^(Send|Queue)$/ }).click();
    await expect(composer(page)).toHaveValue("", { timeout: 2_000 });
  }).toPass();
  await expect(turns(page).last()).toContainText("after");
  await expect(banner).toBeHidden();
});

/** The page of another version: the same scripts and styles, all under other names. */
function otherVersion(drover: Drover): string {
  const from = drover.webDist ?? join(import.meta.dirname, "../../web/dist");
  const folder = join(drover.root, "other-page");
  cpSync(from, folder, { recursive: true });
  const assets = readdirSync(join(folder, "assets"));
  for (const compressed of assets.filter((name) => name.endsWith(".br"))) rmSync(join(folder, "assets", compressed));
  const names = assets.filter((name) => /\.(js|css)$/.test(name));
  const renamed = (name: string) => name.replace(/\.(\w+)$/, "-other.$1");
  const texts = [".vite/manifest.json", "index.html", ...names.map((name) => join("assets", name))];
  for (const path of texts) {
    const text = readFileSync(join(folder, path), "utf8");
    writeFileSync(join(folder, path), names.reduce((done, name) => done.replaceAll(name, renamed(name)), text));
  }
  for (const name of names) renameSync(join(folder, "assets", name), join(folder, "assets", renamed(name)));
  rmSync(join(folder, "index.html.br"), { force: true });
  return folder;
}

test("a page of the former version goes on, says that there is a newer one, and loads it with the draft", async ({ drover, page }) => {
  const project = await drover.project();
  const task = await drover.task(project.id);
  await page.goto(drover.url + task.path);
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  // What is fetched ahead has been fetched.
  await page.waitForLoadState("networkidle");
  const script = await page.locator("script[src]").first().getAttribute("src");
  await drover.stop();
  drover.webDist = otherVersion(drover);
  await drover.run();
  await expect(page.locator("[data-banner=outdated]")).toBeVisible({ timeout: 20_000 });
  expect((await fetch(drover.url + script)).status).toBe(404);
  await say(page, "!text from the old page");
  await expect(turns(page)).toContainText("from the old page");
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await page.goBack();
  await composer(page).fill("half a sentence");
  // The palette was never opened: its script is gone.
  await page.keyboard.press("Control+k");
  await expect(page.getByText("Drover has been updated.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: /^Reload/ }).click();
  await expect(composer(page)).toHaveValue("half a sentence");
  await expect(page.locator("[data-banner=outdated]")).toBeHidden();
  expect(await page.locator("script[src]").first().getAttribute("src")).toContain("-other.js");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });

  test("a page that slept acts on nothing that is gone, and is right again with its draft", async ({ drover, context }) => {
    await context.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "SharedWorker");
    });
    const page = await context.newPage();
    await page.goto(await drover.launchLink());
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    const task = await drover.task();
    const sent = await drover.send(task.id, "!ask p1");
    await page.goto(drover.url + task.path);
    const card = page.getByRole("region", { name: "Scripted asks" });
    const allow = page.getByRole("button", { name: "Allow once: rm -rf build" });
    await expect(allow).toBeVisible();
    await composer(page).fill("half a thought");

    await page.route("**/api/v1/events*", (route) => route.abort());
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    await context.setOffline(true);
    interface Chat {
      requests: { id: string }[];
      messages: { id: string; role: string }[];
    }
    const chat = await drover.api<Chat>("GET", `/tasks/${task.id}/chat`);
    await drover.api("POST", `/requests/${chat.requests[0]?.id}`, { option_id: "no" });
    await expect.poll(async () => (await drover.answers(task.id)).at(-1)?.status).toBe("done");
    const question = chat.messages.find(({ role }) => role === "user")?.id;
    await drover.api("PATCH", `/tasks/${task.id}`, { title: "Another name" });
    await hide(false);
    await allow.tap();
    await expect(card.getByRole("alert")).toContainText("Drover did not answer.");
    await context.setOffline(false);
    await allow.tap();
    await expect(card.getByRole("alert")).toContainText("This question has already been answered.");
    const [answer] = (await drover.answers(task.id)).slice(-1);
    expect(answer?.text).toContain('"optionId": "no"');
    expect(answer?.text).not.toContain('"optionId": "yes"');
    await drover.api("POST", `/messages/${question}/edit`, { nonce: crypto.randomUUID(), text: "!text reworded" });

    await page.unroute("**/api/v1/events*");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Another name");
    await expect(card).toBeHidden();
    await expect(turns(page)).toHaveText(/reworded/);
    await expect(page.locator(`[id="${sent.assistant_message_id}"]`)).toBeHidden();
    await expect(composer(page)).toHaveValue("half a thought");
    await page.setViewportSize({ width: 640, height: 360 });
    await expect(composer(page)).toHaveValue("half a thought");
    await expect(turns(page)).toBeInViewport();
    await page.reload();
    await expect(page).toHaveURL(drover.url + task.path);
    await expect(composer(page)).toHaveValue("half a thought");
  });
});
