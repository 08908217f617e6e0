import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import type { AgentRequest, Chat } from "../../api/types";
import { RuntimeProvider } from "../../app/context";
import type { Runtime } from "../../app/runtime";
import { OverviewStore } from "../../state/overview";
import { TaskStore } from "../../state/task-store";
import { show } from "../../testing/render";
import { taskOf } from "../../testing/world";
import { RequestStack } from "./request-stack";

const OPTIONS = [
  { optionId: "plan", name: "Stay in planning", kind: "reject_once" },
  { optionId: "bypassPermissions", name: "Go, no more questions", kind: "allow_always" },
  { optionId: "acceptEdits", name: "Go, accept edits", kind: "allow_always" },
  { optionId: "default", name: "Go, ask each time", kind: "allow_once" },
  { optionId: "later", name: "Ask me later", kind: "defer_once" },
];

const request = (id: string): AgentRequest => ({
  id,
  task_id: "t",
  run_id: "r",
  agent: "scripted",
  kind: "permission",
  payload: { toolCall: { toolCallId: "t1", title: "bash", rawInput: { command: "git push --force" } }, options: OPTIONS },
  state: "open",
  answer: null,
  created_at: "2026-01-01T00:00:00.000Z",
  completed_at: null,
});

const sent: { path: string; body: unknown }[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    sent.push({ path: String(input), body: JSON.parse(String(init?.body)) });
    return new Response("{}", { status: 200 });
  });
});
afterEach(() => vi.restoreAllMocks());

async function showStack(requests: AgentRequest[]) {
  const chat: Chat = { task: taskOf("t"), messages: [], has_more: false, requests, links: [], seq: 1 };
  const store = new TaskStore("t", {
    fetchChat: async () => chat,
    isFinal: () => true,
    nextFrame: (run) => run(),
    delay: () => () => {},
  });
  const never = () => new Promise<never>(() => {});
  const overview = new OverviewStore({ fetchProjects: never, fetchTasks: never, fetchAgents: never });
  const screen = await show(
    <RuntimeProvider value={{ overview } as Runtime}>
      <textarea aria-label="Message" />
      <RequestStack store={store} />
    </RuntimeProvider>,
  );
  await expect.poll(() => store.phase).toBe("ready");
  return screen;
}

const answers = (card: Element) =>
  [...card.querySelectorAll("[data-option]")].map((button) => button.querySelector("span")?.textContent);

test("every option is there, in the agent's order and words, beside the exact command", async () => {
  const { container } = await showStack([request("q1")]);
  const card = container.querySelector("[data-request]") as Element;
  expect(answers(card)).toEqual(OPTIONS.map(({ name }) => name));
  expect(card.querySelector("pre")?.textContent).toBe("git push --force");
  await expect.element(card.querySelector<HTMLElement>("[data-option='4']")).toHaveAccessibleName("Go, ask each time: git push --force");
});

test("nothing is chosen beforehand and the focus stays where it was", async () => {
  const { container } = await showStack([request("q1")]);
  expect(document.activeElement?.closest("[data-request]")).toBeNull();
  expect(container.querySelectorAll("[aria-pressed=true], [aria-checked=true], [autofocus]")).toHaveLength(0);
  await userEvent.keyboard("{Enter}");
  expect(sent).toEqual([]);
});

test("a number answers, but not what is typed into the composer, nor a key that comes too soon", async () => {
  const { container } = await showStack([request("q1")]);
  await userEvent.keyboard("3");
  expect(sent).toEqual([]);
  await userEvent.type(container.querySelector("textarea") as Element, "3");
  expect(sent).toEqual([]);
  (document.activeElement as HTMLElement).blur();
  await expect
    .poll(async () => {
      if (sent.length === 0) await userEvent.keyboard("3");
      return sent;
    })
    .toEqual([{ path: "/api/v1/requests/q1", body: { option_id: "acceptEdits" } }]);
});

test("of several questions each has its own answers, and a number means the one in focus", async () => {
  const { container } = await showStack([request("q1"), request("q2")]);
  const [, second] = container.querySelectorAll("[data-request]");
  expect(second?.textContent).toContain("Question 2 of 2");
  await userEvent.keyboard("1");
  expect(sent).toEqual([]);
  second?.querySelector<HTMLButtonElement>("[data-option='5']")?.click();
  await expect.poll(() => sent).toEqual([{ path: "/api/v1/requests/q2", body: { option_id: "later" } }]);
});

test("stopping the turn is no answer", async () => {
  const screen = await showStack([request("q1")]);
  await screen.getByRole("button", { name: "Stop the turn" }).click();
  await expect.poll(() => sent).toEqual([{ path: "/api/v1/runs/r/cancel", body: {} }]);
});
