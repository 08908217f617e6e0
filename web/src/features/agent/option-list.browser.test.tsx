import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import type { Agent } from "../../api/types";
import { show } from "../../testing/render";
import { OptionList, UnaskedNote } from "./option-list";
import { readOptions } from "./options";

const OPTIONS = readOptions([
  { id: "effort", name: "Effort", currentValue: "low", options: [{ group: "g", name: "Usual", options: [{ value: "low", name: "Low" }, { value: "high", name: "High" }] }] },
  { id: "web", name: "Web", type: "boolean", currentValue: true },
  { id: "dial", name: "Dial", type: "slider" },
  { id: "mode", name: "Mode", category: "mode", currentValue: "yolo", options: [{ value: "yolo", name: "Go" }] },
]);

test("options stand in the agent's order and words, and a choice is told with its type", async () => {
  const set = vi.fn();
  const screen = await show(<OptionList options={OPTIONS} pending={null} onSet={(option, value) => set(option.id, value)} />);
  const names = [...document.querySelectorAll("button")].map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Effort: Low", "Web: on", "Mode: Go"]);
  await expect.element(screen.getByText("Dial cannot be shown by this version.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Effort: Low" }));
  await expect.element(screen.getByText("Usual")).toBeVisible();
  await userEvent.click(screen.getByRole("menuitemradio", { name: "High" }));
  await userEvent.click(screen.getByRole("button", { name: "Web: on" }));
  await userEvent.click(screen.getByRole("menuitemradio", { name: "off" }));
  expect(set.mock.calls).toEqual([
    ["effort", "high"],
    ["web", false],
  ]);
});

test("a change on its way is shown as such, and nothing else can be set beside it", async () => {
  const screen = await show(<OptionList options={OPTIONS} pending={{ id: "effort", value: "high" }} onSet={() => {}} />);
  const changing = screen.getByRole("button", { name: "Effort changes to High…" });
  await expect.element(changing).toBeDisabled();
  await expect.element(screen.getByRole("button", { name: "Web: on" })).toBeDisabled();
});

test("the mode that acts unasked is said in plain words, an agent that never asks too", async () => {
  const agent = (never_asks: boolean) => ({ name: "Scripted", never_asks, unasked: { yolo: "edits" } }) as unknown as Agent;
  const screen = await show(<UnaskedNote agent={agent(false)} options={OPTIONS} />);
  await expect.element(screen.getByText("In this mode Scripted changes files without asking you.")).toBeVisible();
  await screen.rerender(<UnaskedNote agent={agent(true)} options={[]} />);
  await expect.element(screen.getByText("Scripted never asks you before it acts.")).toBeVisible();
});
