import { composer, expect, expectAccessible, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";

async function choose(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole("button", { name: `Agent: ${from}` }).click();
  await page.getByRole("menuitemradio", { name: new RegExp(`^${to}`) }).click();
}

test("the composer says what the other agent will be handed, and the chat what it was, to the byte", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "remember 42\n!text noted");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  const preview = page.getByRole("button", { name: /will be handed/ });
  await expect(preview).toBeHidden();

  await choose(page, "Scripted", "Second");
  await expect(preview).toHaveText(/^Second starts fresh and will be handed the chat: 2 turns, \d+ byte/);
  await preview.click();
  const text = page.getByRole("dialog").getByRole("region", { name: "Exact text" });
  await expect(text).toContainText("remember 42");
  const before = await text.textContent();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(preview).toBeFocused();

  await say(page, "and now?\n!prompt");
  await expect(turns(page).last()).toHaveAttribute("data-status", "done");
  await expect(preview).toBeHidden();
  const divider = page.getByText(/^Handed over to Second: 2 turns/);
  const exact = page.getByRole("region", { name: "Exact text" });
  // The turn may still be measured and drawn anew when it is clicked.
  await expect(async () => {
    if (!(await exact.isVisible())) await divider.click();
    await expect(exact).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const sent = await exact.textContent();
  expect(sent).toBe(before);
  const [, answer] = await drover.answers(task.id);
  expect(answer?.text.startsWith(sent ?? "?"), "the agent got exactly what is shown").toBe(true);

  // Back to the first: its own session, and only what it missed.
  await choose(page, "Second", "Scripted");
  await expect(preview).toHaveText(/^Scripted will be handed 2 turns/);
  await say(page, "!prompt");
  await expect.poll(async () => (await drover.answers(task.id))[2]?.status).toBe("done");
  const told = (await drover.answers(task.id)).at(-1)?.text ?? "";
  expect(told).toContain("and now?");
  expect(told).toContain('<turn number="3"');
  expect(told).not.toContain('<turn number="1"');
  await expect(composer(page)).toBeVisible();
});

test("everything that was sent for an answer can be looked at", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text hello");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  await page.getByRole("button", { name: "Actions for message 2, Scripted" }).click();
  await page.getByRole("menuitem", { name: "Show what was sent" }).click();
  await expect(page.getByRole("dialog", { name: "What was sent" })).toContainText("!text hello");
  await expectAccessible(page);
});
