import { writeFileSync } from "node:fs";
import { expect, say, test, turns } from "../../web/e2e/fixtures.ts";

test("a call above the eye that grows moves no line, and a task that is opened again is at its end", async ({ drover, page }) => {
  const task = await drover.task();
  const other = await drover.task();
  await page.goto(drover.url + task.path);
  const output = (lines: number) => [{ type: "content", content: { type: "text", text: Array.from({ length: lines }, (_, line) => `line ${line}`).join("\n") } }];
  const call = (kind: string, lines: number) => `!update ${JSON.stringify({ sessionUpdate: kind, toolCallId: "t1", title: "Run", kind: "execute", status: "in_progress", content: output(lines) })}`;
  await say(page, `${call("tool_call", 1)}\n!say 3000\n!waitfile ${drover.demo}/go\n${call("tool_call_update", 60)}\n!chunk ${JSON.stringify("\n\nmore\n\nthe end")}\n!hang`);
  await expect(turns(page)).toContainText("w2999 ");
  const log = page.getByRole("log");
  await log.evaluate((box) => box.scrollTo({ top: 0 }));
  await turns(page).locator("summary").first().click();
  await expect(turns(page)).toContainText("line 0");
  const words = turns(page).getByText("w0 w1", { exact: false }).first();
  await log.hover();
  // So far that the call is above the screen and the words fill it.
  await page.mouse.wheel(0, 500);
  await expect.poll(() => log.evaluate((box) => box.scrollTop)).toBeGreaterThan(300);
  const place = () => words.evaluate((element) => Math.round(element.getBoundingClientRect().bottom));
  const before = await place();
  writeFileSync(`${drover.demo}/go`, "");
  await expect.poll(async () => (await drover.answers(task.id)).at(-1)?.text.includes("the end")).toBe(true);
  await expect(page.getByRole("button", { name: /new line/ })).toBeVisible();
  expect(Math.abs((await place()) - before)).toBeLessThan(2);

  const rail = page.getByRole("navigation", { name: "Projects and tasks" });
  await rail.getByRole("link", { name: /New task/ }).last().click();
  await expect(page).toHaveURL(drover.url + other.path);
  await page.goBack();
  await expect(turns(page)).toContainText("the end");
  await expect.poll(() => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)).toBeLessThan(2);
});
