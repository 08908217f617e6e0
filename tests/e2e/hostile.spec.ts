import { expect, say, test, turns } from "../../web/e2e/fixtures.ts";

const HOSTILE = [
  "[x](javascript:pwn())",
  "[x](JaVaScRiPt&#58;pwn())",
  "[x](data:text/html,<script>pwn()</script>)",
  "<img src=x onerror=pwn()>",
  "<svg/onload=pwn()>",
  "<script>pwn()</script>",
];

test("what an agent or a person writes is never run, loaded or followed", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await page.evaluate(() => {
    Object.assign(globalThis, { pwn: () => Object.assign(globalThis, { pwned: true }) });
  });
  const address = page.url();
  await say(page, `${HOSTILE.map((text) => `!text ${text}`).join("\n")}\n!think ${HOSTILE.join(" ")}`);
  const turn = turns(page);
  await expect(turn).toHaveAttribute("data-status", "done");
  await turn.getByText("Thought", { exact: true }).click();
  for (const link of await turn.getByRole("link").all()) await link.hover();
  await expect(turn).toContainText("<img src=x onerror=pwn()>");
  expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
  expect(await turn.locator("img, script, iframe, a[href^='javascript' i], a[href^='data' i]").count()).toBe(0);
  expect(page.url()).toBe(address);
});

test("the page cannot make HTML of a string", async ({ page }) => {
  const refused = await page.evaluate(() => {
    try {
      document.createElement("div").innerHTML = "<b>x</b>";
      return false;
    } catch (error) {
      return error instanceof TypeError;
    }
  });
  expect(refused).toBe(true);
});

const update = (body: object) => `!update ${JSON.stringify(body)}`;

test("in titles, results, plans, changes, options and fences nothing of it runs or is a link either", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await page.evaluate(() => {
    Object.assign(globalThis, { pwn: () => Object.assign(globalThis, { pwned: true }) });
  });
  const address = page.url();
  const all = HOSTILE.join(" ");
  const fences = ["    ```\n<img src=x onerror=pwn()>\n", "```\ntext\n```~\n<img src=x onerror=pwn()>\n", "\\`<img src=x onerror=pwn()>\\`"];
  const script = [
    ...HOSTILE.map((title, index) => update({ sessionUpdate: "tool_call", toolCallId: `h${index}`, title, kind: "execute", status: "completed", rawInput: { command: title }, content: [{ type: "content", content: { type: "text", text: title } }] })),
    update({ sessionUpdate: "tool_call", toolCallId: "d", title: "Change", kind: "edit", status: "completed", content: [{ type: "diff", path: HOSTILE[3], oldText: null, newText: all }] }),
    update({ sessionUpdate: "plan", entries: HOSTILE.map((content) => ({ content, priority: "high", status: "pending" })) }),
    ...fences.map((text) => `!chunk ${JSON.stringify(`${text}\n\n`)}`),
    `!raw ${JSON.stringify({ jsonrpc: "2.0", id: "q", method: "session/request_permission", params: { sessionId: "$SID", toolCall: { toolCallId: "h1", title: all }, options: HOSTILE.map((name, index) => ({ optionId: `o${index}`, name, kind: "reject_once" })) } })}`,
    "!hang",
  ];
  await say(page, script.join("\n"));
  const card = page.getByRole("region", { name: "Scripted asks" });
  await expect(card.locator("[data-option]")).toHaveCount(HOSTILE.length);
  const main = page.getByRole("main");
  for (const summary of await main.locator("summary").all()) await summary.click();
  await expect(main.locator("[role=log] a:not([href^='#'])"), "what is dangerous is no link at all").toHaveCount(0);
  await expect(turns(page)).toContainText("<svg/onload=pwn()>");
  await expect(card.locator("[data-option]").first()).toContainText("[x](javascript:pwn())");
  await card.locator("[data-option]").first().click();
  await expect(card).toBeHidden();
  expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
  expect(await main.locator("iframe, script, object, a[href^='javascript' i], a[href^='data' i], [onerror], [onload]").count()).toBe(0);
  expect(page.context().pages().filter((each) => /^(javascript|data):/i.test(each.url()))).toEqual([]);
  expect(page.url().split("#")[0]).toBe(address);
});
