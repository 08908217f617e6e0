import { type BrowserContext, composer, type Drover, expect, type Page, say, test, turns } from "../../web/e2e/fixtures.ts";
import { HOSTILE, LONG_TITLE, projectOf, taskOf, until } from "./screens/world.ts";

interface Screen {
  name: string;
  path: string;
  /** What is opened there. */
  open?(page: Page): Promise<void>;
}

/** The screens of an installation with something of everything, and the dialogs above them. */
async function screensOf(drover: Drover): Promise<Screen[]> {
  const project = await projectOf(drover, "parser");
  const asking = await taskOf(drover, project, "Clean the build directory", ["!think hm\n!tool t1\n!diff\n!plan\n!ask p1"]);
  const hostile = await taskOf(drover, project, LONG_TITLE, [HOSTILE]);
  await until(drover, asking, ["waiting"]);
  await until(drover, hostile, ["idle"]);
  const key = (pressed: string) => async (page: Page) => {
    await page.locator("h1").first().click();
    await page.keyboard.press(pressed);
    await expect(page.getByRole("dialog")).toBeVisible();
  };
  const menu = async (page: Page) => {
    await page.locator("main header button").last().click();
    await expect(page.getByRole("menu")).toBeVisible();
  };
  return [
    { name: "inbox", path: "/" },
    { name: "project", path: `/p/${project}` },
    { name: "add a project", path: "/add" },
    { name: "question", path: asking.path },
    { name: "hostile", path: hostile.path },
    { name: "menu", path: hostile.path, open: menu },
    {
      name: "rename",
      path: hostile.path,
      open: async (page) => {
        await menu(page);
        await page.getByRole("menuitem").first().click();
        await expect(page.getByRole("dialog")).toBeVisible();
      },
    },
    { name: "palette", path: asking.path, open: key("Control+k") },
    { name: "keys", path: asking.path, open: key("?") },
    ...["appearance", "agents", "configuration", "browsers", "about", "agents/claude"].map((each) => ({ name: each, path: `/settings/${each}` })),
  ];
}

async function visit(page: Page, drover: Drover, screen: Screen): Promise<void> {
  await page.goto(drover.url + screen.path);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await expect(page.locator(".appear-late")).toHaveCount(0);
  await screen.open?.(page);
}

/** What stands out of the screen, or has text that is cut without a sign, outside of boxes that scroll. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const sideways = document.documentElement.scrollWidth - innerWidth;
    if (sideways > 0) found.push(`the page scrolls sideways by ${sideways}`);
    const scrolls = (element: Element | null): boolean => {
      if (!element || element === document.documentElement) return false;
      const { overflowX } = getComputedStyle(element);
      return (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1) || scrolls(element.parentElement);
    };
    for (const element of document.querySelectorAll("button, a[href], input, textarea, select, label, summary, h1, h2, h3, p")) {
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const shown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && box.width > 1 && box.height > 1;
      if (!shown || element.closest(".sr-only") || scrolls(element.parentElement)) continue;
      const name = `${element.tagName} ${(element.getAttribute("aria-label") ?? element.textContent).slice(0, 60)}`;
      if (box.left < -0.5 && box.right > 0) found.push(`${name}: begins at ${box.left}`);
      if (box.right > innerWidth + 0.5 && box.left < innerWidth) found.push(`${name}: ends at ${box.right}`);
      const tells = style.textOverflow === "ellipsis" || element.querySelector(".truncate") !== null;
      if (style.overflowX === "visible" && !tells && !/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0) {
        found.push(`${name}: ${element.scrollWidth} wide in ${element.clientWidth}`);
      }
    }
    return found;
  });

async function expectNothingCutOff(page: Page, drover: Drover, prepare: (page: Page) => Promise<void> = async () => {}): Promise<void> {
  const found: string[] = [];
  for (const screen of await screensOf(drover)) {
    await visit(page, drover, screen);
    await prepare(page);
    found.push(...(await cutOff(page)).map((each) => `${screen.name}: ${each}`));
    if (screen.name !== "question") continue;
    await expect(composer(page)).toBeInViewport();
    for (const name of ["Stop", "Queue"]) await expect(page.getByRole("button", { name, exact: true })).toBeInViewport();
    await page.getByRole("button", { name: "Reject: rm -rf build" }).scrollIntoViewIfNeeded();
    await expect(page.getByRole("button", { name: "Reject: rm -rf build" })).toBeInViewport();
  }
  expect(found).toEqual([]);
}

/** A paired page of a context whose window is too narrow for the rail. */
async function narrow(context: BrowserContext, drover: Drover): Promise<Page> {
  const page = await context.newPage();
  await page.goto(await drover.launchLink());
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  return page;
}

test.describe("at 200 %", () => {
  // A window of 1280 by 860 pixels, zoomed.
  test.use({ viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 });
  test("nothing is cut off and nothing scrolls sideways at 200 % zoom", async ({ drover, context }) => {
    test.setTimeout(180_000);
    await expectNothingCutOff(await narrow(context, drover), drover);
  });
});

test("text of twice the size and with wide spacing is neither cut off nor lost", async ({ drover, page }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 1280, height: 860 });
  await expectNothingCutOff(page, drover, async (each) => {
    await each.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("html { font-size: 200% } * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }");
      document.adoptedStyleSheets = [sheet];
    });
    const size = await each.locator("body").evaluate((body) => parseFloat(getComputedStyle(body).fontSize));
    expect(size).toBeGreaterThanOrEqual(28);
  });
});

test("with forced colours the focus and every state are still seen", async ({ drover, page }) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ forcedColors: "active" });
  const screens = await screensOf(drover);
  for (const screen of screens.filter(({ name }) => ["inbox", "question", "appearance"].includes(name))) {
    await visit(page, drover, screen);
    const unseen: string[] = [];
    let reached = 0;
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(() => {
        const { activeElement: element } = document;
        if (!element || element === document.body) return null;
        // A field for text may show it on the frame around it.
        const frame = element.closest("form") ?? element;
        const seen = [element, element.closest("label") ?? element].some((each) => {
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each);
          return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && outlineColor !== "rgba(0, 0, 0, 0)";
        });
        const framed = element.matches("textarea") && getComputedStyle(frame).borderTopColor !== "rgba(0, 0, 0, 0)";
        return { seen: seen || framed, name: `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent.slice(0, 40)}` };
      });
      if (!focus) continue;
      reached += 1;
      if (!focus.seen) unseen.push(focus.name);
    }
    expect(reached, screen.name).toBeGreaterThan(10);
    expect(unseen, screen.name).toEqual([]);
  }
  const question = screens.find(({ name }) => name === "question");
  await visit(page, drover, question ?? { name: "", path: "/" });
  const current = page.getByRole("navigation").locator("[aria-current=page]").first();
  await expect(current).toHaveCSS("outline-style", "solid");
  // A state is a shape with a word, a line of a change has a sign and a word.
  await expect(current.locator("svg")).toBeVisible();
  await expect(current).toContainText("Needs your answer");
  await turns(page).getByText("Edit a.txt").click();
  await expect(turns(page).locator(".diff-gutter-insert").filter({ hasText: "+" }).first()).toContainText("added");
  await expect(turns(page).locator(".diff-gutter-delete").filter({ hasText: "−" }).first()).toContainText("removed");
});

test("with reduced motion nothing moves, also while an answer streams", async ({ drover, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const task = await drover.task();
  await page.goto(drover.url + task.path);
  await say(page, "!think hm\n!say 3\n!hang");
  await expect(turns(page)).toContainText("w2");
  await expect(turns(page).locator(".breathe").first()).toBeVisible();
  const moving = () => page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length);
  expect(await moving()).toBe(0);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await moving()).toBe(0);
  for (const box of ["html", "[role=log]"]) await expect(page.locator(box)).toHaveCSS("scroll-behavior", "auto");
});

/** What is smaller than a thumb. Links within a sentence may be as small as its letters. */
const tooSmall = (page: Page) =>
  page.evaluate(() => {
    const LEAST = 44;
    const within = "p a, li > p a, .md a, h3 a";
    const found: string[] = [];
    for (const element of document.querySelectorAll("button, summary, a[href], input, select, textarea, [role^=menuitem], [role=option]")) {
      const target = element.matches("input[type=radio], input[type=checkbox]") ? (element.closest("label") ?? element) : element;
      const { width, height } = target.getBoundingClientRect();
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || width <= 1 || element.matches(within) || element.closest("[inert], [aria-hidden=true]")) continue;
      if (width < LEAST - 0.5 || height < LEAST - 0.5) {
        found.push(`${element.tagName} ${(element.getAttribute("aria-label") ?? element.textContent).slice(0, 40)}: ${Math.round(width)} × ${Math.round(height)}`);
      }
    }
    return found;
  });

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });

  test("everything that is touched is as large as a thumb", async ({ drover, context }) => {
    test.setTimeout(180_000);
    const page = await narrow(context, drover);
    const found: string[] = [];
    for (const screen of (await screensOf(drover)).filter(({ name }) => name !== "keys" && name !== "palette")) {
      await visit(page, drover, screen);
      found.push(...(await tooSmall(page)).map((each) => `${screen.name}: ${each}`));
      found.push(...(await cutOff(page)).map((each) => `${screen.name}: ${each}`));
    }
    await page.goto(drover.url);
    await page.getByRole("button", { name: "Show projects and tasks" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    found.push(...(await tooSmall(page)).map((each) => `drawer: ${each}`));
    expect(found).toEqual([]);
  });

  test("the on-screen keyboard breaks the line, hides neither composer nor buttons, and makes no browser zoom in", async ({ drover, context }) => {
    const page = await narrow(context, drover);
    const task = await drover.task();
    await page.goto(drover.url + task.path);
    await expect(composer(page)).toHaveAttribute("enterkeyhint", "enter");
    await composer(page).tap();
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await page.keyboard.type("two");
    await page.keyboard.press("Enter");
    await page.keyboard.type("!hang");
    await expect(composer(page)).toHaveValue("one\ntwo\n!hang");
    expect(await composer(page).evaluate((box) => parseFloat(getComputedStyle(box).fontSize))).toBeGreaterThanOrEqual(16);
    await page.setViewportSize({ width: 360, height: 300 });
    await page.getByRole("button", { name: "Send", exact: true }).tap();
    for (const name of ["Stop", "Queue"]) await expect(page.getByRole("button", { name, exact: true })).toBeInViewport();
    await expect(composer(page)).toBeInViewport();
    await page.getByRole("button", { name: "Stop", exact: true }).tap();
    await expect(turns(page)).toHaveAttribute("data-status", "cancelled");
  });
});
