import { AxeBuilder } from "@axe-core/playwright";
import { type BrowserContext, expect, type Locator, type Page, test as base } from "@playwright/test";
import { Drover } from "./drover.ts";

export { expect };
export type { BrowserContext, Locator, Page };
export type { Drover };

interface Fixtures {
  drover: Drover;
  /** A page of a browser that is paired with `drover`, at the inbox. */
  page: Page;
  /** A page of a browser that is not. */
  stranger: Page;
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the wanted fixtures from the pattern
  drover: async ({}, run) => {
    const drover = await Drover.start();
    await run(drover);
    await drover.dispose();
  },
  page: async ({ drover, context }, run) => {
    const page = await context.newPage();
    const complaints = watch(page);
    await pair(page, drover);
    await run(page);
    expect(complaints, "nothing broke in the page and its security policy was never violated").toEqual([]);
  },
  stranger: async ({ browser }, run) => {
    const context = await browser.newContext({ locale: "en-US" });
    await run(await context.newPage());
    await context.close();
  },
});

/** Collects what a page must never do: throw, or break its content security policy. */
function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy") || message.text().includes("Trusted Type")) {
      complaints.push(message.text());
    }
  });
  return complaints;
}

export async function pair(page: Page, drover: Drover, directory: string | null = null): Promise<void> {
  await page.goto(await drover.launchLink(directory));
  await expect(page.getByRole("navigation", { name: "Projects and tasks" })).toBeVisible();
}

export const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** Writes to the agent of the open task, or of a new one. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole("button", { name: /^(Send|Queue)$/ }).click();
}

/** The turns of agents in the open task. */
export const turns = (page: Page) => page.locator('[data-role="assistant"]');

/** The text that `!say n` makes. */
export const words = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(" ");

/** No violation of WCAG 2.2 A and AA in what is shown now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    // Menus are drawn at the end of the body, outside of all landmarks; no success criterion forbids it.
    .disableRules(["region"])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join("\n")}`);
  expect(found).toEqual([]);
}
