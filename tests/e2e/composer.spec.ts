import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { composer, expect, expectAccessible, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";

const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true });
const queue = (page: Page) => page.getByRole("list", { name: "Queued messages" });

/** The messages of a task that a person sent, as the daemon has them. */
async function asked(drover: { api<T>(method: string, path: string): Promise<T> }, task: string) {
  interface Chat {
    messages: { role: string; parts: { type: string; text?: string; name?: string }[] }[];
  }
  const chat = await drover.api<Chat>("GET", `/tasks/${task}/chat`);
  return chat.messages.filter(({ role }) => role === "user").map(({ parts }) => parts);
}

/** Puts files where a person's hand would: a paste into the text, or a drop on it. */
async function give(page: Page, how: "paste" | "drop", files: { name: string; type: string; base64?: string; size?: number }[]) {
  await composer(page).evaluate(
    (box, [event, given]) => {
      const data = new DataTransfer();
      for (const { name, type, base64, size } of given) {
        const bytes = base64 ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) : new Uint8Array(size ?? 0);
        data.items.add(new File([bytes], name, { type }));
      }
      const init = { bubbles: true, cancelable: true };
      if (event === "paste") box.dispatchEvent(new ClipboardEvent("paste", { ...init, clipboardData: data }));
      else for (const kind of ["dragenter", "dragover", "drop"]) box.dispatchEvent(new DragEvent(kind, { ...init, dataTransfer: data }));
    },
    [how, files] as const,
  );
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Presses it as it is: what the other tab has sent in between leaves nothing here that could be sent. */
const pressSend = (tab: Page) => send(tab).evaluate((button: HTMLButtonElement) => button.click());

test("two tabs share one draft, and it is sent once", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await composer(page).fill("!text only once");
  const other = await page.context().newPage();
  await other.goto(drover.url + task.path);
  await expect(composer(other)).toHaveValue("!text only once");
  await Promise.all([page, other].map(pressSend));
  for (const tab of [page, other]) {
    await expect(composer(tab)).toHaveValue("");
    await expect(turns(tab)).toContainText("only once");
  }
  expect(await asked(drover, task.id)).toHaveLength(1);
});

test("two tabs with the draft of a new task make one task", async ({ drover, page }) => {
  await page.goto(`${drover.url}/new`);
  await composer(page).fill("!text one task");
  const other = await page.context().newPage();
  await other.goto(`${drover.url}/new`);
  await expect(composer(other)).toHaveValue("!text one task");
  await Promise.all([page, other].map(pressSend));
  await expect(turns(page)).toContainText("one task");
  const { tasks } = await drover.api<{ tasks: { id: string }[] }>("GET", "/tasks");
  expect(tasks).toHaveLength(1);
  expect(await asked(drover, tasks[0]?.id ?? "")).toHaveLength(1);
});

test("a failed send keeps text and picture; the next one stores the message once", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await give(page, "paste", [{ name: "pixel.png", type: "image/png", base64: PIXEL }]);
  await expect(page.getByRole("img", { name: "Preview of pixel.png" })).toBeVisible();
  await composer(page).fill("!text with a picture");
  await drover.stop();
  await send(page).click();
  await expect(page.getByText(/not known whether the message arrived/)).toBeVisible();
  await drover.run();
  await expect(composer(page)).toHaveValue("!text with a picture");
  await expect(page.getByRole("img", { name: "Preview of pixel.png" })).toBeVisible();
  await send(page).click();
  await expect(turns(page)).toContainText("with a picture");
  expect(await asked(drover, task.id)).toHaveLength(1);
});

test("@ mentions a file of the project, by keyboard alone", async ({ drover, page }) => {
  mkdirSync(join(drover.demo, "src"), { recursive: true });
  for (const path of ["src/main.rs", "src/my map.rs", "README.md"]) writeFileSync(join(drover.demo, path), path);
  const { id } = await drover.project();
  const task = await drover.task(id);
  await page.goto(drover.url + task.path);
  await composer(page).pressSequentially("see @map");
  const list = page.getByRole("listbox", { name: "Files of the project" });
  await expect(list.getByRole("option")).toHaveCount(1);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(composer(page)).toHaveValue("see @src/my map.rs ");
  await page.keyboard.press("Enter");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  const [parts] = await asked(drover, task.id);
  expect(parts).toMatchObject([{ type: "text", text: "see @src/my map.rs " }, { type: "file", name: "my map.rs" }]);
});

test("without a project @ says why there are no files", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await composer(page).pressSequentially("@x");
  await expect(page.getByText("This task belongs to no project, so there are no files to mention.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("This task belongs to no project")).toBeHidden();
  await expect(composer(page)).toHaveValue("@x");
});

test("/ offers the agent's commands while it streams, and in the next new task", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, '!update {"sessionUpdate":"available_commands_update","availableCommands":[{"name":"plan","description":"Thinks first","input":{"hint":"what to plan"}},{"name":"web","description":"Searches"}]}\n!say 3\n!hang');
  await expect(turns(page)).toContainText("w2");
  await composer(page).pressSequentially("/pl");
  await expect(page.getByRole("option", { name: /plan.*Thinks first/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await expect(composer(page)).toHaveValue("/plan ");
  await expect(page.getByText("Expects: what to plan")).toBeVisible();
  await page.goto(`${drover.url}/new`);
  await composer(page).pressSequentially("/");
  await expect(page.getByRole("option")).toHaveCount(2);
});

test("a picture is shown before it is sent, and what becomes of it is said", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await give(page, "drop", [
    { name: "pixel.png", type: "image/png", base64: PIXEL },
    { name: "notes.txt", type: "text/plain", size: 2_048 },
  ]);
  const attached = page.getByRole("list", { name: "Attached" });
  await expect(attached.getByRole("listitem")).toHaveCount(2);
  await expect(attached).toContainText("2 kB");
  await expect(page.getByText(/If Scripted takes no pictures/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove notes.txt" }).click();
  await composer(page).press("Enter");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await expect(attached).toBeHidden();
  expect((await asked(drover, task.id))[0]).toMatchObject([{ type: "image", name: "pixel.png" }]);
});

test("what is too large is refused by name, size and limit, and the rest stays", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await composer(page).fill("kept");
  await give(page, "drop", [
    { name: "huge.bin", type: "", size: 26_214_401 },
    { name: "empty.png", type: "image/png", size: 0 },
  ]);
  const refusal = page.getByRole("alert").filter({ hasText: "huge.bin" });
  await expect(refusal).toContainText("huge.bin (26.2 MB) is over the limit of 25 MiB for attachments.");
  await expect(page.getByRole("button", { name: "Remove empty.png" })).toBeVisible();
  await refusal.getByRole("button", { name: "Dismiss" }).click();
  await expect(refusal).toBeHidden();
  await expect(composer(page)).toHaveValue("kept");
});

test("the queue is edited, moved by keyboard and sent now, in every tab", async ({ drover, page }) => {
  const task = await drover.task();
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(drover.url + task.path);
  await say(page, "!say 2000 50");
  await expect(turns(page)).toContainText("w2");
  for (const text of ["!text one", "!text two", "!text three"]) await say(page, text);
  const texts = (tab: Page) => queue(tab).getByRole("listitem");
  await expect(texts(other)).toHaveText([/one/, /two/, /three/]);
  await expectAccessible(page);
  const up = page.getByRole("button", { name: "Move up “!text three”" });
  await up.press("Enter");
  await expect(texts(other)).toHaveText([/one/, /three/, /two/]);
  // This tab may be told later than the other.
  await expect(texts(page)).toHaveText([/one/, /three/, /two/]);
  await expect(up).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(texts(other)).toHaveText([/three/, /one/, /two/]);
  await page.getByRole("button", { name: "Edit “!text one”" }).click();
  const words = page.getByRole("textbox", { name: "Words of the queued message" });
  await words.fill("!text changed");
  await words.press("Enter");
  await expect(texts(other)).toHaveText([/three/, /changed/, /two/]);
  await texts(page).nth(2).dragTo(texts(page).nth(0));
  await expect(texts(other)).toHaveText([/two/, /three/, /changed/]);
  await page.getByRole("button", { name: /Send now.*changed/ }).click();
  await expect(turns(other).nth(1)).toContainText("changed");
  await expect(turns(other)).toHaveCount(4);
  await expect(turns(other).nth(2)).toContainText("two");
  await expect(turns(other).nth(3)).toContainText("three");
  await expect(turns(other).first()).toContainText("Stopped by you.");
});

test("a held queue says why and goes on when told to", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 2\n!sleep 400\n!error");
  await say(page, "!text after");
  await expect(page.getByText("Held: the last turn failed.")).toBeVisible();
  await page.getByRole("button", { name: "Go on with the queue" }).click();
  await expect(turns(page).last()).toContainText("after");
});

test("options can be looked at and chosen before the task exists", async ({ drover, page }) => {
  const { id } = await drover.project();
  const first = await drover.task(id);
  await drover.api("POST", `/tasks/${first.id}/links/scripted/connect`, {});
  await page.goto(drover.url + first.path);
  await expect(page.getByRole("button", { name: /^Model: / })).toBeVisible();
  await page.goto(`${drover.url}/p/${id}`);
  const model = page.getByRole("button", { name: /^Model: / });
  await model.click();
  await expectAccessible(page);
  const [, second] = await page.getByRole("menuitemradio").all();
  const name = (await second?.textContent())?.trim() ?? "";
  await second?.click();
  await expect(model).toHaveAccessibleName(`Model: ${name}`);
  await page.reload();
  await expect(model).toHaveAccessibleName(`Model: ${name}`);
  await say(page, "!text started");
  await expect(turns(page)).toContainText("started");
  await expect(page.getByRole("button", { name: /^Model: / })).toHaveAccessibleName(`Model: ${name}`);
});

test("after the first message of a new task the focus stays in the composer, and digits answer nothing", async ({ drover, page }) => {
  await page.goto(`${drover.url}/new`);
  await expect(composer(page)).toBeFocused();
  await composer(page).fill("!ask");
  await send(page).click();
  await expect(page.getByRole("button", { name: "Stop the turn" })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press("1");
  await expect(composer(page)).toHaveValue("1");
  await expect(page.getByRole("button", { name: "Stop the turn" })).toBeVisible();
});

test("keys throw nothing away", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!ask");
  await expect(page.getByRole("button", { name: "Stop the turn" })).toBeVisible();
  await composer(page).fill("half a");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(composer(page)).toHaveValue("half a");
  await expect(page.getByRole("button", { name: "Stop the turn" })).toBeVisible();
  await page.getByRole("button", { name: "Agent: Scripted" }).click();
  await expect(page.getByRole("menuitemradio", { name: "Second" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menuitemradio", { name: "Second" })).toBeHidden();
  await expect(composer(page)).toHaveValue("half a");
});

test("at 360 pixels agent and options fold into one button and a sheet", async ({ drover, page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!say 2\n!hang");
  await say(page, "!text waits");
  await expect(queue(page).getByRole("listitem")).toHaveCount(1);
  for (const name of ["Stop", "Queue"]) await expect(page.getByRole("button", { name, exact: true })).toBeInViewport();
  await page.getByRole("button", { name: "Agent and options: Scripted" }).click();
  const sheet = page.getByRole("dialog", { name: "Agent and options" });
  await expect(sheet.getByRole("button", { name: "Agent: Scripted" })).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Agent: Scripted" }).click();
  await page.getByRole("menuitemradio", { name: "Second" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Agent and options: Second" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
