import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { show } from "../testing/render";
import { Fold } from "./fold";

const fold = (place: string) => (
  <Fold key={place} place={place} summary={<span>More of {place}</span>}>
    {() => <p>What is in {place}</p>}
  </Fold>
);

test("what was opened is open again when it comes back into the page, until it is closed", async () => {
  const screen = await show(fold("one"));
  await userEvent.click(screen.getByText("More of one"));
  await expect.element(screen.getByText("What is in one")).toBeVisible();
  await screen.rerender(fold("two"));
  await expect.element(screen.getByText("What is in two")).not.toBeInTheDocument();
  await screen.rerender(fold("one"));
  await expect.element(screen.getByText("What is in one")).toBeVisible();
  await userEvent.click(screen.getByText("More of one"));
  await expect.element(screen.getByText("What is in one")).not.toBeInTheDocument();
  await screen.rerender(fold("two"));
  await screen.rerender(fold("one"));
  await expect.element(screen.getByText("What is in one")).not.toBeInTheDocument();
});
