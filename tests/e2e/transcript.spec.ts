import { expect, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";

const update = (body: object) => `!update ${JSON.stringify(body)}`;
const call = (id: string, more: object = {}) => update({ sessionUpdate: "tool_call", toolCallId: id, title: `Call ${id}`, kind: "other", ...more });
const change = (id: string, more: object = {}) => update({ sessionUpdate: "tool_call_update", toolCallId: id, ...more });
const said = (text: string) => [{ type: "content", content: { type: "text", text } }];
const message = (text: string, messageId: string) => update({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });

const done = (page: Page) => expect(turns(page).last()).toHaveAttribute("data-status", "done");

test("thoughts, messages and calls keep their order and their borders, live and after a reload", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, ["!think plan", "!text first", "!tool t1", "!think check", "!think ing", message("second", "m2"), message("third", "m3"), message("3b", "m3")].join("\n"));
  await done(page);
  const expectOrder = async () => {
    const turn = turns(page).last();
    for (const summary of await turn.getByText("Thought", { exact: true }).all()) await summary.click();
    const order = async () => (await turn.innerText()).replace(/\s+/g, " ");
    await expect.poll(order).toMatch(/Thought plan first Read t1 .*Thought checking second third3b/);
  };
  await expectOrder();
  await page.reload();
  await done(page);
  await expectOrder();
});

test("calls in a row are one line that opens to each, and none of them spins after its turn", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  const script = [
    call("r1", { kind: "read", status: "completed" }),
    call("r2", { kind: "read", status: "completed" }),
    call("e1", { kind: "execute", status: "completed", rawInput: { command: "make test" }, content: said("```console\n\u001b[31mred\u001b[0m\n```") }),
    call("x", { kind: "edit", status: "completed", content: [{ type: "diff", path: "/a.txt", oldText: "one two\n", newText: "one three\n" }] }),
    change("t9", { status: "completed", content: said("done of t9") }),
    call("t7", { status: "pending" }),
  ];
  await say(page, script.join("\n"));
  await done(page);
  const turn = turns(page).last();
  await expect(turn.getByText("Call r1")).toBeHidden();
  await turn.getByText("Read 2 files, ran 1 command").click();
  await turn.getByText("Call e1").click();
  await expect(turn.getByText("make test")).toBeVisible();
  await expect(turn.locator(".ansi-red")).toHaveText("red");
  await turn.getByText("Call x").click();
  await expect(turn.locator(".diff-code-insert .diff-code-edit")).toHaveText("three");
  await expect(turn.getByRole("region", { name: "Call t7, stopped" })).toHaveAttribute("aria-busy", "false");
});

test("half-written markdown, open fences and nasty texts are shown as what they are", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  const chunks = ["Use <T> and Vec<String> & &amp;\n\n", "````md\n```js\nlet a;\n```\n````\n\n", "| a | b |\n| - | - |\n| 1 ", "| 2 |\n\n", "$x$ and $5\n\n1) a\n2) b\n\n", "```rust\nfn open() {\n"];
  await say(page, chunks.map((chunk) => `!chunk ${JSON.stringify(chunk)}`).join("\n"));
  await done(page);
  const turn = turns(page).last();
  await expect(turn).toContainText("Use <T> and Vec<String> & &");
  await expect(turn.locator("pre").first()).toHaveText("```js\nlet a;\n```");
  await expect(turn.locator("td")).toHaveText(["1", "2"]);
  await expect(turn).toContainText("$x$ and $5");
  await expect(turn.locator("ol > li")).toHaveText(["a", "b"]);
  await expect(turn.locator("pre").last()).toHaveText("fn open() {");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await turn.getByRole("button", { name: "Copy the code" }).first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("```js\nlet a;\n```");
});

test("huge results are folded with their size and opened on demand, with only what is seen in the page", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  const lines = (word: string) => Array.from({ length: 1_200 }, (_, index) => `${word} ${index}`).join("\n");
  const script = [
    call("d", { kind: "edit", status: "completed", content: [{ type: "diff", path: "/long.txt", oldText: lines("an old line of a long file"), newText: lines("a new line of a long file") }] }),
    "!bigtool 2000",
  ];
  await say(page, script.join("\n"));
  await done(page);
  const turn = turns(page).last();
  await turn.getByText("Call d").click();
  await turn.getByRole("button", { name: /^Show the change \([\d.]+ kB\)$/ }).click();
  await expect(turn.locator(".diff-code").first()).toBeVisible();
  await expect(turn.getByRole("button", { name: /more lines$/ })).toBeVisible();
  const whole = turn.getByRole("button", { name: /^Show all of out \(2 MB\)$/ });
  // The change above may still be drawn when the call below it is clicked.
  await expect(async () => {
    if (!(await whole.isVisible())) await turn.getByText("Big", { exact: true }).click();
    await expect(whole).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await whole.click();
  await expect(turn.locator(".term-line").filter({ hasText: /^y{2000}/ }).first()).toBeVisible();
  expect(await turn.locator(".term-line").count()).toBeLessThan(100);
});

test("while the agent waits for an answer nothing spins, and it says so", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!text before\n!ask\n!text after");
  await expect(turns(page)).toContainText("Scripted waits for your answer.");
  await page.reload();
  await expect(turns(page)).toContainText("Scripted waits for your answer.");
  await expect(turns(page)).not.toContainText("is working");
  await page.getByRole("button", { name: /^Allow once/ }).click();
  await expect(turns(page)).toContainText("after");
  await expect(turns(page)).not.toContainText("waits for your answer");
});
