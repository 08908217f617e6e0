import { composer, expect, test } from "../../web/e2e/fixtures.ts";

test("the link that the command prints pairs a browser and opens the inbox", async ({ drover, stranger }) => {
  const link = /http:\/\/localhost:\d+\/launch#\S+/.exec(drover.cli("open", "--print"))?.[0] ?? "";
  await stranger.goto(link);
  await expect(stranger).toHaveURL(`${drover.url}/`);
  await expect(stranger.getByRole("navigation", { name: "Projects and tasks" })).toBeVisible();
  await expect(stranger.locator("[data-connection=live]")).toBeVisible();
});

test("a browser that is not paired is told what to do, and then finds the address it wanted", async ({ drover, stranger }) => {
  const { id } = await drover.project();
  await stranger.goto(`${drover.url}/p/${id}`);
  await expect(stranger.getByRole("heading", { name: "This browser is not paired with Drover" })).toBeVisible();
  await expect(stranger.getByText("drover open")).toBeVisible();
  const launched = await stranger.context().newPage();
  await launched.goto(await drover.launchLink());
  await expect(launched).toHaveURL(`${drover.url}/p/${id}`);
  await expect(composer(launched)).toBeVisible();
  await expect(composer(stranger)).toBeVisible();
});

test("a link works once", async ({ drover, stranger, browser }) => {
  const link = await drover.launchLink();
  await stranger.goto(link);
  await expect(stranger.getByRole("navigation", { name: "Projects and tasks" })).toBeVisible();
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "This link did not pair the browser" })).toBeVisible();
  await other.context().close();
});

test("the directory in which the command was run is offered as a project", async ({ drover, stranger }) => {
  await stranger.goto(await drover.launchLink(drover.demo));
  await expect(stranger.getByRole("textbox", { name: "Directory" })).toHaveValue(drover.demo);
  await stranger.getByRole("button", { name: "Use this directory" }).click();
  await expect(stranger.getByRole("heading", { name: "demo", level: 1 })).toBeVisible();
  await expect(composer(stranger)).toBeFocused();
});

test("a browser that is revoked is signed out at once, in every tab", async ({ drover, page }) => {
  const second = await page.context().newPage();
  await second.goto(`${drover.url}/settings/browsers`);
  const { browsers } = await drover.api<{ browsers: { id: string }[] }>("GET", "/browsers");
  for (const { id } of browsers) await drover.api("DELETE", `/browsers/${id}`);
  for (const tab of [page, second]) {
    await expect(tab.getByRole("heading", { name: "This browser is not paired with Drover" })).toBeVisible();
  }
});
