import { writeFileSync } from "node:fs";
import { expect, say, test, turns } from "../../web/e2e/fixtures.ts";

test("a call above the eye that grows moves no line", async ({ drover, page }) => {
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  const output = (lines: number) => [{ type: "content", content: { type: "text", text: Array.from({ length: lines }, (_, line) => `line ${line}`).join("\n") } }];
  const call = (kind: string, lines: number) => `!update ${JSON.stringify({ sessionUpdate: kind, toolCallId: "t1", title: "Run", kind: "execute", status: "in_progress", content: output(lines) })}`;
  await say(page, `${call("tool_call", 1)}\n!say 3000\n!waitfile ${drover.demo}/go\n${call("tool_call_update", 60)}\n!chunk ${JSON.stringify("\n\nmore\n\nthe end")}\n!hang`);
  await expect(turns(page)).toContainText("w2999 ");
  const log = page.getByRole("log");
  await log.evaluate((box) => box.scrollTo({ top: 0 }));
  await expect(async () => {
    await turns(page).locator("summary").first().click();
    await expect(turns(page)).toContainText("line 0", { timeout: 1_000 });
  }).toPass();
  const words = turns(page).getByText("w0 w1", { exact: false }).first();
  // The call is above the screen, and the words fill it.
  await words.evaluate((element) => {
    const box = element.closest("[role=log]");
    if (box) box.scrollTop += element.getBoundingClientRect().top - box.getBoundingClientRect().top + 200;
  });
  await expect(turns(page).getByText("line 0")).not.toBeInViewport();
  const place = () => words.evaluate((element) => Math.round(element.getBoundingClientRect().bottom));
  const before = await place();
  writeFileSync(`${drover.demo}/go`, "");
  await expect.poll(async () => (await drover.answers(task.id)).at(-1)?.text.includes("the end")).toBe(true);
  await expect(page.getByRole("button", { name: /new line/ })).toBeVisible();
  expect(Math.abs((await place()) - before)).toBeLessThan(2);
});
