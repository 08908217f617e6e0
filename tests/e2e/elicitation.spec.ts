import { composer, expect, expectAccessible, say, test, turns } from "../../web/e2e/fixtures.ts";

const FORM = {
  type: "object",
  required: ["strategy", "count"],
  properties: {
    strategy: {
      type: "string",
      title: "Strategy",
      description: "How to go about it",
      oneOf: [
        { const: "a", title: "Careful", description: "Step by step, asking in between" },
        { const: "b", title: "Quick" },
      ],
      default: "b",
    },
    count: { type: "integer", title: "How many", minimum: 1, maximum: 5 },
    tags: { type: "array", title: "Tags", items: { type: "string", enum: ["x", "y"] } },
    note: { type: "string", title: "Note", maxLength: 5 },
    ok: { type: "boolean", title: "Overwrite", default: false },
  },
};

const ask = (id: number, params: object) =>
  `!request ${id} elicitation/create ${JSON.stringify({ sessionId: "$SID", message: "How shall I do it?", ...params })}`;
const form = (id: number) => ask(id, { mode: "form", requestedSchema: FORM });

test("a form is filled in by keyboard, refused beside its field, sent typed, and closed in all tabs", async ({ drover, page }) => {
  const task = await drover.task();
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(drover.url + task.path);
  await say(page, `${form(1)}\n!await 1`);
  const card = page.getByRole("region", { name: "Scripted asks" });
  await expect(card.getByText("How shall I do it?")).toBeVisible();
  await expect(other.getByRole("region", { name: "Scripted asks" })).toBeVisible();
  await expectAccessible(page);
  await card.getByRole("textbox", { name: /How many/ }).focus();
  await page.keyboard.type("9");
  await page.keyboard.press("Enter");
  await expect(card.getByText("At most 5.")).toBeVisible();
  await expect(card.getByRole("textbox", { name: /How many/ })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Backspace");
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  for (const tab of [page, other]) await expect(tab.getByRole("region", { name: "Scripted asks" })).toBeHidden();
  await expect(turns(page)).toContainText('{"action": "accept", "content": {"count": 3, "ok": false, "strategy": "b"}}');
});

test("to decline, to close and to stop the turn are three things", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, `${form(1)}\n!await 1\n${form(2)}\n!await 2\n${form(3)}\n!hang`);
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(turns(page)).toContainText('1={"action": "decline"}');
  // A click right after the questions have moved up is not meant for what is there now.
  await expect(async () => {
    await page.getByRole("button", { name: "Close the question" }).click();
    await expect(turns(page)).toContainText('2={"action": "cancel"}', { timeout: 3_000 });
  }).toPass();
  await expect(page.getByRole("region", { name: "Scripted asks" })).toBeVisible();
  await expect(async () => {
    await page.getByRole("button", { name: "Stop the turn" }).click();
    await expect(turns(page)).toHaveAttribute("data-status", "cancelled", { timeout: 1_000 });
  }).toPass();
});

test("a page is opened in a tab of its own by a click only, and the note goes when the agent says that it is done", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  const address = `${drover.url}/healthz?sign=in`;
  const done = JSON.stringify({ jsonrpc: "2.0", method: "elicitation/complete", params: { elicitationId: "e1" } });
  await say(page, `${ask(1, { mode: "url", url: address, elicitationId: "e1" })}\n!await 1\n!permit 2\n!await 2\n!raw ${done}\n!text over`);
  const card = page.getByRole("region", { name: "Scripted asks" });
  await expect(card.locator("code")).toHaveText(address);
  await expectAccessible(page);
  expect(page.context().pages()).toHaveLength(1);
  const opened = page.context().waitForEvent("page");
  await card.getByRole("link", { name: /^Open / }).click();
  const tab = await opened;
  expect(await tab.evaluate(() => window.opener)).toBeNull();
  await tab.close();
  await expect(page.getByText(/waits until you are done there/)).toBeVisible();
  // A click right after the questions have moved up is not meant for what is there now.
  await expect(async () => {
    await page.getByRole("button", { name: /^Allow/ }).click({ timeout: 1_000 });
    await expect(turns(page)).toContainText("over", { timeout: 1_000 });
  }).toPass();
  await expect(page.getByText(/waits until you are done there/)).toBeHidden();
});

test("what a stopped turn left running is named on its message and ended there", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!child own quiet\n!hang");
  await expect(turns(page)).toContainText("child=");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  const left = page.getByRole("region", { name: "Still running after the stop" });
  await expect(left.getByText("sleep 3600")).toBeVisible();
  await page.reload();
  await expect(left.getByText("sleep 3600")).toBeVisible();
  await expectAccessible(page);
  await left.getByRole("button", { name: "End it" }).click();
  await expect(left).toBeHidden();
  await expect(composer(page)).toBeVisible();
});

test("a half-filled form outlives a reload until it is answered", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, `${form(1)}\n!await 1`);
  const card = page.getByRole("region", { name: "Scripted asks" });
  await card.getByRole("textbox", { name: "How many required" }).fill("4");
  await card.getByRole("radio", { name: /^Careful/ }).check();
  await card.getByRole("checkbox", { name: "y", exact: true }).check();
  await page.reload();
  await expect(card.getByRole("textbox", { name: "How many required" })).toHaveValue("4");
  await expect(card.getByRole("radio", { name: /^Careful/ })).toBeChecked();
  await expect(card.getByRole("checkbox", { name: "y", exact: true })).toBeChecked();
  await card.getByRole("button", { name: "Send to Scripted" }).click();
  await expect(turns(page)).toContainText('{"action": "accept", "content": {"count": 4, "ok": false, "strategy": "a", "tags": ["y"]}}');
  await expect.poll(() => page.evaluate(() => localStorage.getItem("drover:forms"))).toBe("{}");
});

test("a password that an agent asks for is written down nowhere", async ({ drover, page }) => {
  const schema = { type: "object", properties: { key: { type: "string", title: "Key", _meta: { codex: { isSecret: true } } }, note: { type: "string", title: "Note" } } };
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, `${ask(1, { mode: "form", requestedSchema: schema })}\n!await 1`);
  await page.getByRole("region", { name: "Scripted asks" }).getByLabel("Key").fill("hunter2");
  await page.getByRole("textbox", { name: "Note" }).fill("kept");
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  expect(stored).toContain("kept");
  expect(stored).not.toContain("hunter2");
});

for (const [width, height] of [[640, 330], [320, 256]] as const) {
  test(`at ${width} × ${height} a form can be filled in and answered`, async ({ drover, page }) => {
    const task = await drover.task();
    await page.goto(drover.url + task.path);
    await page.setViewportSize({ width, height });
    await say(page, `${form(1)}\n!await 1`);
    const card = page.getByRole("region", { name: "Scripted asks" });
    const field = card.getByRole("textbox", { name: /How many/ });
    await field.scrollIntoViewIfNeeded();
    await expect(field).toBeInViewport({ ratio: 1 });
    // What lies over it would take the click.
    await field.click();
    await page.keyboard.type("2");
    await card.getByRole("button", { name: "Send to Scripted" }).click();
    await expect(turns(page)).toContainText('"count": 2');
  });
}
