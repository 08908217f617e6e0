import { expect, expectAccessible, test, turns } from "../../web/e2e/fixtures.ts";

/** `!update` with what both main adapters send of a failure. */
function told(severity: string, title: string): string {
  const meta = { jetbrains: { air: { version: 1, sessionFailure: { id: "f", severity, category: "service", title, actions: ["retry"] } } } };
  return `!update ${JSON.stringify({ sessionUpdate: "session_info_update", _meta: meta })}`;
}

function update(kind: string, rest: object): string {
  return `!update ${JSON.stringify({ sessionUpdate: kind, ...rest })}`;
}

test("what an agent says beside its answer does not look like its answer, and a hidden failure looks like one", async ({ drover, page }) => {
  const task = await drover.task((await drover.project()).id);
  await page.goto(drover.url + task.path);
  const script = [
    update("notice", { severity: "warning", title: "MCP server “x” failed to start", description: "exit status 1" }),
    update("compaction_update", { compactionId: "c", status: "completed", summary: "They want a **parser**." }),
    told("warning", "Reconnecting... 1/2"),
    told("warning", "Reconnecting... 2/2"),
    "!text half an answer",
    told("error", "The model provider reported an error."),
  ];
  await drover.send(task.id, script.join("\n"));
  const turn = turns(page);
  await expect(turn).toHaveAttribute("data-status", "error");
  await expect(turn.locator("[data-notice=warning]")).toHaveCount(2);
  await expect(turn.getByText("Reconnecting... 2/2")).toBeVisible();
  await expect(turn.getByText("Reconnecting... 1/2")).toHaveCount(0);
  await expect(turn.getByText("The model provider reported an error.")).toBeVisible();
  await turn.getByText("Made its context shorter").click();
  await expect(turn.getByText("parser")).toBeVisible();
  await expectAccessible(page);
});

test("minutes of silence are told with their length while stop stays at hand", async ({ drover, page }) => {
  await drover.api("PATCH", "/settings", { silence_seconds: 1 });
  const task = await drover.task((await drover.project()).id);
  await page.goto(drover.url + task.path);
  await drover.send(task.id, "!text thinking about it\n!untilstop");
  await expect(page.locator("[data-silence]")).toContainText("No sign of Scripted for");
  await page.reload();
  await expect(page.locator("[data-silence]")).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.locator("[data-silence]")).toHaveCount(0);
});

test("an agent that no longer knows its session is said to have lost its memory, once", async ({ drover, page }) => {
  const task = await drover.task((await drover.project()).id);
  await page.goto(drover.url + task.path);
  await drover.send(task.id, "!text one");
  await expect(turns(page)).toHaveAttribute("data-status", "done");
  // The scripted agent keeps no sessions on disk here.
  await drover.stop();
  await drover.run();
  await drover.send(task.id, "!text two");
  await expect(turns(page).last().locator("[data-notice=warning]")).toContainText("own memory of the task is gone");
  await drover.send(task.id, "!text three");
  await expect(turns(page).last()).toContainText("three");
  await expect(page.locator("[data-notice=warning]")).toHaveCount(1);
  await expectAccessible(page);
});
