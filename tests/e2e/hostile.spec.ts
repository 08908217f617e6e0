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
