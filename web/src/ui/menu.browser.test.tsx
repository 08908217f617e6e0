import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { show } from "../testing/render";
import { Button } from "./button";
import { Menu, MenuItem } from "./menu";

const menu = (choose: (what: string) => void) => (
  <Menu trigger={<Button>Do</Button>}>
    <MenuItem onSelect={() => choose("first")}>First</MenuItem>
    <MenuItem onSelect={() => choose("second")}>Second</MenuItem>
  </Menu>
);

test("a menu is opened, walked through and left by keyboard, and the focus comes back", async () => {
  const choose = vi.fn();
  const screen = await show(menu(choose));
  const button = screen.getByRole("button", { name: "Do" });
  await userEvent.tab();
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("menu", { name: "Do" })).toBeVisible();
  await expect.element(screen.getByRole("menuitem", { name: "First" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(screen.getByRole("menu")).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(screen.getByRole("menuitem", { name: "First" })).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(choose.mock.calls).toEqual([["second"]]);
  await expect.element(button).toHaveFocus();
});

test("a click opens a menu, and one beside it closes it", async () => {
  const choose = vi.fn();
  const screen = await show(menu(choose));
  const button = screen.getByRole("button", { name: "Do" });
  await userEvent.click(button);
  await expect.element(button).toHaveAttribute("aria-expanded", "true");
  await expect.element(screen.getByRole("menuitem", { name: "Second" })).toBeVisible();
  await userEvent.click(document.body, { position: { x: 300, y: 300 }, force: true });
  await expect.element(screen.getByRole("menu")).not.toBeInTheDocument();
  await expect.element(button).toHaveAttribute("aria-expanded", "false");
  expect(choose).not.toHaveBeenCalled();
});
