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

let next = 0;

const request = (payload: Record<string, unknown>, more: Partial<AgentRequest> = {}): AgentRequest => ({
  id: `q${(next += 1)}`,
  task_id: "t",
  run_id: "r",
  agent: "scripted",
  kind: "elicitation",
  payload,
  state: "open",
  answer: null,
  created_at: "2026-01-01T00:00:00.000Z",
  completed_at: null,
  ...more,
});

const form = (properties: unknown, required: string[] = []) =>
  request({ mode: "form", message: "How?", requestedSchema: { type: "object", properties, required } });

const FORM = {
  strategy: { type: "string", title: "Strategy", oneOf: [{ const: "a", title: "Careful", description: "Step by step" }, { const: "b" }], default: "b" },
  count: { type: "integer", minimum: 1, maximum: 5 },
  note: { type: "string", maxLength: 5 },
  tags: { type: "array", items: { enum: ["x", "y"] } },
  ok: { type: "boolean", default: false },
};

let answers: { body: unknown }[] = [];
let refusal: Response | null = null;

beforeEach(() => {
  answers = [];
  refusal = null;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
    answers.push({ body: JSON.parse(String(init?.body)) });
    return refusal ?? new Response("{}", { status: 200 });
  });
});
afterEach(() => vi.restoreAllMocks());

async function showStack(requests: AgentRequest[]) {
  const chat: Chat = { task: taskOf("t"), messages: [], has_more: false, requests, links: [], seq: 1 };
  const store = new TaskStore("t", { fetchChat: async () => chat, isFinal: () => true, nextFrame: (run) => run(), delay: () => () => {} });
  const never = () => new Promise<never>(() => {});
  const overview = new OverviewStore({ fetchProjects: never, fetchTasks: never, fetchAgents: never });
  const screen = await show(
    <RuntimeProvider value={{ overview } as Runtime}>
      <RequestStack store={store} />
    </RuntimeProvider>,
  );
  await expect.poll(() => store.phase).toBe("ready");
  return { ...screen, store };
}

test("a form starts with its defaults, refuses what does not fit beside its field, and sends typed values", async () => {
  const screen = await showStack([form(FORM, ["strategy", "count"])]);
  await expect.element(screen.getByRole("radio", { name: "b", exact: true })).toBeChecked();
  await screen.getByRole("textbox", { name: /count/ }).fill("9");
  await screen.getByRole("button", { name: "Send to scripted" }).click();
  await expect.element(screen.getByText("At most 5.")).toBeVisible();
  await expect.element(screen.getByRole("textbox", { name: /count/ })).toHaveFocus();
  await expect.element(screen.getByRole("textbox", { name: /count/ })).toHaveAttribute("aria-invalid", "true");
  expect(answers).toEqual([]);
  await screen.getByRole("textbox", { name: /count/ }).fill("3");
  await screen.getByRole("checkbox", { name: "y" }).click();
  await screen.getByRole("button", { name: "Send to scripted" }).click();
  await expect.poll(() => answers).toEqual([{ body: { action: "accept", content: { strategy: "b", count: 3, tags: ["y"], ok: false } } }]);
});

test("what the daemon refuses stands beside its field", async () => {
  const screen = await showStack([form({ code: { type: "string", pattern: "^[0-9]+$" } })]);
  refusal = new Response(JSON.stringify({ type: "/problems/invalid", title: "No", errors: [{ field: "content.code", detail: "must match ^[0-9]+$" }] }), { status: 422 });
  await screen.getByRole("textbox", { name: "code" }).fill("abc");
  await screen.getByRole("button", { name: "Send to scripted" }).click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("must match ^[0-9]+$");
});

test("to decline and to close asks for nothing and means different things", async () => {
  const screen = await showStack([form(FORM, ["count"])]);
  await screen.getByRole("button", { name: "Decline" }).click();
  await expect.poll(() => answers).toEqual([{ body: { action: "decline" } }]);
  await screen.unmount();
  const again = await showStack([form(FORM, ["count"])]);
  await again.getByRole("button", { name: "Close the question" }).click();
  await expect.poll(() => answers.at(-1)).toEqual({ body: { action: "cancel" } });
});

test("a number key types into a field and answers nothing", async () => {
  const screen = await showStack([form(FORM)]);
  await userEvent.type(screen.getByRole("textbox", { name: "note" }), "123");
  await expect.element(screen.getByRole("textbox", { name: "note" })).toHaveValue("123");
  expect(answers).toEqual([]);
});

test("what stands in a form is there again after a look at another task", async () => {
  const asked = form(FORM);
  const screen = await showStack([asked]);
  await screen.getByRole("textbox", { name: "note" }).fill("half");
  await screen.unmount();
  const again = await showStack([asked]);
  await expect.element(again.getByRole("textbox", { name: "note" })).toHaveValue("half");
});

test("a form that requires what cannot be shown can only be declined or closed, and says why", async () => {
  const screen = await showStack([form({ where: { type: "object" }, name: { type: "string" } }, ["where"])]);
  await expect.element(screen.getByText(/requires something that this version cannot show/)).toBeVisible();
  expect(screen.getByRole("button", { name: /Send/ }).elements()).toHaveLength(0);
  await expect.element(screen.getByRole("button", { name: "Decline" })).toBeEnabled();
});

test("a secret is not shown while it is typed", async () => {
  const { container } = await showStack([form({ token: { type: "string", _meta: { codex: { isSecret: true } } } })]);
  await expect.poll(() => container.querySelector("input[type=password]")).not.toBeNull();
});

test("a page is shown whole, with its host marked, and opened only by a click on a link that cannot look back", async () => {
  const screen = await showStack([request({ mode: "url", message: "Sign in", url: "https://login.example/a?x=1", elicitationId: "e" })]);
  const link = screen.getByRole("link", { name: "Open login.example" });
  await expect.element(link).toHaveAttribute("rel", "noopener noreferrer");
  await expect.element(link).toHaveAttribute("target", "_blank");
  await expect.poll(() => screen.container.querySelector("code")?.textContent).toBe("https://login.example/a?x=1");
  expect(screen.container.querySelector("code strong")?.textContent).toBe("login.example");
  expect(answers).toEqual([]);
  link.element().addEventListener("click", (event) => event.preventDefault());
  await link.click();
  await expect.poll(() => answers).toEqual([{ body: { action: "accept" } }]);
});

test("an address that deceives is told, and one that is not of the web is not opened", async () => {
  const screen = await showStack([
    request({ mode: "url", message: "", url: "https://bank.example@xn--pple-43d.com/" }),
    request({ mode: "url", message: "", url: "javascript:pwn()" }),
  ]);
  await expect.element(screen.getByText(/before the @ is not the host/)).toBeVisible();
  await expect.element(screen.getByText(/Really it is xn--pple-43d.com/)).toBeVisible();
  await expect.element(screen.getByText(/Drover opens only whole addresses/)).toBeVisible();
  expect(screen.getByRole("link").elements()).toHaveLength(1);
});

test("a page that was opened waits until its agent says that it is done, then the note goes away", async () => {
  const asked = request({ mode: "url", message: "Sign in", url: "https://login.example/", elicitationId: "e" });
  const { store, ...screen } = await showStack([asked]);
  await expect.element(screen.getByRole("link", { name: "Open login.example" })).toBeVisible();
  store.watched(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const accepted: AgentRequest = { ...asked, state: "answered", answer: { action: "accept" } };
  store.receive([{ seq: 2, kind: "request.upsert", data: accepted }]);
  await expect.element(screen.getByText("login.example was opened. scripted waits until you are done there.")).toBeVisible();
  store.receive([{ seq: 3, kind: "request.upsert", data: { ...accepted, completed_at: "2026-01-01T00:00:01.000Z" } }]);
  await expect.element(screen.getByText(/Done/)).toBeVisible();
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await expect.poll(() => screen.getByText(/Done/).elements()).toHaveLength(0);
});
