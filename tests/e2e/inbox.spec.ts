import { composer, expect, expectAccessible, say, test, turns } from "../../web/e2e/fixtures.ts";
import { projectOf, taskOf, until } from "./screens/world.ts";

test("a task is begun from the inbox, in the project that was used last or in another one, with what was typed", async ({ drover, page }) => {
  const parser = await projectOf(drover, "parser");
  const shop = await projectOf(drover, "shop");
  await until(drover, await taskOf(drover, parser, "First", ["!text one"]), ["idle"]);
  await page.goto(drover.url);
  const project = page.getByRole("button", { name: /^Project: / });
  await expect(project).toHaveAccessibleName("Project: parser");
  await composer(page).fill("!text from the inbox");
  await project.click();
  await expectAccessible(page);
  await page.getByRole("menuitemradio", { name: /^shop/ }).click();
  await expect(project).toHaveAccessibleName("Project: shop");
  await expect(composer(page)).toHaveValue("!text from the inbox");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/p/${shop}/t/`));
  await expect(turns(page)).toContainText("from the inbox");
  await page.goto(drover.url);
  await expect(project).toHaveAccessibleName("Project: shop");
  await expect(composer(page)).toHaveValue("");
});

test("on the Chinese page a refusal is told in Chinese, with what the daemon knows below it", async ({ drover, page }) => {
  await drover.project();
  await page.context().addCookies([{ name: "drover_lang", value: "zh", url: drover.url }]);
  await page.goto(`${drover.url}/add`);
  await page.getByRole("main").getByRole("textbox").fill("/nowhere/at/all");
  await page.keyboard.press("Enter");
  const refusal = page.getByRole("alert");
  await expect(refusal).toContainText("填写的内容无法使用。");
  await expect(refusal.locator("[lang=en]")).toContainText("There is no such directory.");
  await page.goto(`${drover.url}/settings/agents`);
  await expect(page.getByRole("main")).toContainText("Anthropic 的编程智能体。");
});

test("while an agent asks without working on a message, its turns can be reworded and tried again", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  const asked = {
    jsonrpc: "2.0",
    id: "q",
    method: "session/request_permission",
    params: { sessionId: "$SID", toolCall: { toolCallId: "t1", title: "rm -rf build" }, options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }] },
  };
  await say(page, `!text hello\n!end\n!raw ${JSON.stringify(asked)}`);
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await expect(page.getByRole("region", { name: "Scripted asks" })).toBeVisible();
  await page.getByRole("button", { name: "Actions for message 1, You" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const box = page.getByRole("textbox", { name: "Message 1, to edit" });
  await box.fill("!text reworded");
  await page.keyboard.press("Control+Enter");
  await expect(turns(page)).toContainText("reworded");
});

test("what ends under the reader's eyes is read, however quickly the next turn ends", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text on\n!hang");
  await expect(turns(page)).toContainText("on");
  for (const text of ["!text a", "!text b", "!text c"]) await say(page, text);
  await page.getByRole("button", { name: /^Send now.*!text c/ }).click();
  await expect(turns(page)).toHaveCount(4);
  await expect(turns(page).last()).toHaveAttribute("data-status", "done");
  await expect.poll(async () => (await drover.api<{ unread: boolean }>("GET", `/tasks/${task.id}`)).unread).toBe(false);
  await expect(page.getByRole("link", { name: "Needs you", exact: true })).toBeVisible();
});
