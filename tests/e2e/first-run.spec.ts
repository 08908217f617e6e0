import { composer, expect, say, test, turns } from "../../web/e2e/fixtures.ts";

test("from an empty inbox to the first answer", async ({ drover, page }) => {
  await expect(page.getByRole("heading", { name: "Welcome to Drover" })).toBeVisible();
  await expect(page.getByText("Scripted", { exact: true })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Directory" })).toHaveValue(drover.home);
  await page.getByRole("button", { name: "work" }).click();
  await page.getByRole("button", { name: "demo" }).click();
  await expect(page.getByRole("textbox", { name: "Directory" })).toHaveValue(drover.demo);
  await page.getByRole("button", { name: "Use this directory" }).click();
  await expect(page.getByRole("heading", { name: "demo", level: 1 })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await page.getByRole("button", { name: /^(Agent: |Choose an agent)/ }).click();
  await page.getByRole("menuitemradio", { name: "Scripted" }).click();
  await say(page, "!text hello there");
  await expect(page).toHaveURL(/\/p\/\w+\/t\/\w+$/);
  await expect(turns(page)).toContainText("hello there");
  await expect(page).toHaveTitle("!text hello there · demo · Drover");
  await page.goBack();
  await expect(page.getByRole("main").getByRole("link", { name: /!text hello there/ })).toBeVisible();
});

test("a directory that is not there is refused with a reason, and another can be chosen", async ({ page }) => {
  const directory = page.getByRole("textbox", { name: "Directory" });
  await directory.fill("/nowhere/at/all");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(directory).toHaveValue("/nowhere/at/all");
  await expect(page.getByRole("button", { name: "Use this directory" })).toBeDisabled();
  await directory.fill("/nowhere/else");
  await page.getByRole("button", { name: "Use this directory" }).click();
  await expect(page.getByRole("alert").last()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Welcome to Drover" })).toBeVisible();
});

test("a path is taken as it is pasted, with blanks around it, and below the home directory by its short form", async ({ drover, page }) => {
  const directory = page.getByRole("textbox", { name: "Directory" });
  await directory.fill(`  ${drover.home}/work `);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(directory).toHaveValue(`${drover.home}/work`);
  await directory.fill(" ~/work/demo");
  await page.getByRole("button", { name: "Use this directory" }).click();
  await expect(page.getByRole("heading", { name: "demo", level: 1 })).toBeVisible();
});
