import { composer, expect, type Locator, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";
import { projectOf, taskOf, until } from "./screens/world.ts";

/** Enter as an input method takes it to confirm a candidate, with whatever keys go with it. */
async function confirmCandidate(field: Locator, more: { ctrlKey?: boolean } = {}): Promise<void> {
  await field.evaluate((element, init) => {
    element.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
    element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, isComposing: true, bubbles: true, cancelable: true, ...init }));
    element.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "日本" }));
  }, more);
}

/** Presses a key until that has the focus, as somebody without a mouse does. */
async function reach(page: Page, wanted: Locator, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(wanted).toBeFocused();
}

test("Enter that ends a composition saves no name, sends no reworded and no queued message", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text one");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await page.locator("main header button").last().click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("日本");
  await confirmCandidate(title);
  await expect(page.getByRole("dialog")).toBeVisible();
  await title.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("日本");

  await page.getByRole("log").focus();
  await page.keyboard.press("e");
  const box = page.getByRole("textbox", { name: "Message 1, to edit" });
  await box.fill("!say 2\n!hang");
  await confirmCandidate(box, { ctrlKey: true });
  await expect(box).toBeVisible();
  await expect(turns(page)).toContainText("one");
  await box.press("Control+Enter");
  await expect(turns(page)).toContainText("w1");

  await say(page, "!text queued");
  await page.getByRole("button", { name: "Edit “!text queued”" }).click();
  const words = page.getByRole("textbox", { name: "Words of the queued message" });
  await words.fill("!text 日本");
  await confirmCandidate(words);
  await expect(words).toHaveValue("!text 日本");
  await words.press("Enter");
  await expect(page.getByRole("list", { name: "Queued messages" })).toContainText("日本");
});

test("Escape, undo and the browser's way back throw nothing away and answer nothing", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url);
  await page.getByRole("navigation", { name: "Projects and tasks" }).getByRole("link", { name: /^Idle/ }).click();
  await expect(page).toHaveURL(drover.url + task.path);
  await say(page, "!ask p1");
  const card = page.getByRole("region", { name: "Scripted asks" });
  await expect(card).toBeVisible();
  await composer(page).press("Control+z");
  await composer(page).fill("half a");
  for (const [key, name] of [["Control+k", "Search and commands"], ["?", "Keyboard shortcuts"]] as const) {
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press(key);
    const dialog = page.getByRole("dialog", { name });
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(card).toBeVisible();
  }
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${drover.url}/`);
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goForward();
  await expect(composer(page)).toHaveValue("half a");
  await expect(card).toBeVisible();
  await composer(page).press("Escape");
  await expect(composer(page)).toHaveValue("half a");
  const { messages } = await drover.api<{ messages: unknown[] }>("GET", `/tasks/${task.id}/chat`);
  expect(messages).toHaveLength(2);
  expect((await drover.answers(task.id)).at(-1)?.status).toBe("streaming");
});

test("an agent is chosen, a message reworded, a change read and a task deleted by keyboard alone", async ({ drover, page }) => {
  const project = await projectOf(drover, "parser");
  const task = await taskOf(drover, project, "By keyboard", []);
  await page.goto(drover.url + task.path);
  await composer(page).focus();
  await page.keyboard.type("!diff");
  await reach(page, page.getByRole("button", { name: "Agent: Scripted" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "Second" })).toBeVisible();
  await reach(page, page.getByRole("menuitemradio", { name: "Second" }), "ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Agent: Second" })).toBeFocused();
  await reach(page, page.getByRole("button", { name: "Send", exact: true }));
  await page.keyboard.press("Enter");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await expect(composer(page)).toBeFocused();

  await reach(page, turns(page).locator("summary").first(), "Shift+Tab");
  await page.keyboard.press("Enter");
  const change = page.getByRole("group", { name: /a\.txt/ });
  await expect(change).toContainText("added");
  const read = (await change.innerText()).replace(/\s+/g, " ");
  expect(read.indexOf("removed")).toBeGreaterThan(-1);
  expect(read.indexOf("added")).toBeGreaterThan(read.indexOf("removed"));

  await page.keyboard.press("e");
  const box = page.getByRole("textbox", { name: "Message 1, to edit" });
  await expect(box).toBeFocused();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("!text reworded");
  await page.keyboard.press("Control+Enter");
  await expect(turns(page)).toContainText("reworded");

  const actions = page.getByRole("main").getByRole("button", { name: "Actions for By keyboard" });
  await reach(page, actions, "Shift+Tab");
  await page.keyboard.press("Enter");
  await reach(page, page.getByRole("menuitem", { name: "Delete" }), "ArrowDown");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  // The focus goes round within the dialog, and back to where it came from.
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press("Tab");
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(actions).toBeFocused();
  await page.keyboard.press("Enter");
  await reach(page, page.getByRole("menuitem", { name: "Delete" }), "ArrowDown");
  await page.keyboard.press("Enter");
  await reach(page, dialog.getByRole("button", { name: "Delete", exact: true }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${drover.url}/p/${project}`);
});

test("an empty answer, a failure and a lost connection are each announced once and stay to be found", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  const region = page.getByRole("status");
  await region.evaluate((element) => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    new MutationObserver(() => heard.push(element.textContent)).observe(element, { childList: true, characterData: true, subtree: true });
  });
  const heard = () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.map((text) => text.trim()));
  await say(page, "!end");
  await expect(turns(page)).toContainText("The answer was empty.");
  await expect(region).toHaveText("Scripted has answered.");
  await say(page, "!error");
  await expect(turns(page).last()).toContainText("Failed.");
  await expect(region).toHaveText("Scripted failed.");
  await until(drover, task, ["error"]);
  await drover.stop();
  await expect(page.locator("[data-banner=down]")).toBeVisible({ timeout: 20_000 });
  await expect(region).toHaveText("The daemon does not answer.");
  expect(await heard()).toEqual(["Scripted has answered.", "Scripted failed.", "The daemon does not answer."]);
});
