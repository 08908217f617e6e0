import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderHook } from "vitest-browser-react";
import { DraftStore } from "../../state/drafts";
import { useDraft } from "./use-draft";
import { useSender } from "./use-sender";

interface Body {
  nonce: string;
  text: string;
  mentions?: string[];
  options?: Record<string, unknown>;
}

const bodies: Body[] = [];
let answer: () => Promise<Response>;

const accepted = async () => new Response('{"run_id":"r"}', { status: 202 });
const refused = async () => new Response('{"type":"/problems/store-unavailable","title":"No"}', { status: 503 });
const broken = () => Promise.reject(new TypeError("network"));

beforeEach(() => {
  localStorage.clear();
  bodies.length = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (_input, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return answer();
  });
});
afterEach(() => vi.restoreAllMocks());

/** A composer of a page that was just loaded. */
async function open() {
  const store = new DraftStore("task:t");
  const { result, act } = await renderHook(() => ({ draft: useDraft(store), sender: useSender(store) }));
  const type = (text: string) => act(() => store.change({ text }));
  const send = (starts = false) => act(async () => void (await result.current.sender.send("scripted", async () => "t", starts)));
  return { result, act, type, send, store };
}

test("the same content goes out again under the same nonce after a broken connection, also after a reload", async () => {
  answer = broken;
  const { type, send, result } = await open();
  await type("hello");
  await send();
  expect(result.current.draft.text).toBe("hello");
  expect(result.current.sender.error).toMatchObject({ name: "Unreachable" });
  const reloaded = await open();
  answer = accepted;
  await reloaded.send();
  expect(bodies.map(({ nonce }) => nonce)).toEqual([bodies[0]?.nonce, bodies[0]?.nonce]);
  expect(reloaded.result.current.draft.text).toBe("");
  expect(new DraftStore("task:t").get().pending).toBeNull();
});

test("two tabs that hold the same draft send it under the same nonce", async () => {
  answer = accepted;
  const one = await open();
  await one.type("once");
  const two = await open();
  await one.act(async () => {
    const tabs = [one.result, two.result];
    await Promise.all(tabs.map(({ current }) => current.sender.send("scripted", async () => "t", false)));
  });
  expect(bodies).toHaveLength(2);
  expect(new Set(bodies.map(({ nonce }) => nonce)).size).toBe(1);
});

test("a draft that another tab sends while the task is made goes out under its own nonce, so that it is one message", async () => {
  answer = accepted;
  const { act, type, result, store } = await open();
  await type("once");
  const { nonce } = store.get();
  const sentElsewhere = async () => {
    store.sent({ text: "once", attachments: [], nonce });
    return "t";
  };
  await act(async () => void (await result.current.sender.send("scripted", sentElsewhere, true)));
  expect(bodies).toMatchObject([{ text: "once", nonce }]);
  expect(store.get()).toMatchObject({ text: "", pending: null });
});

test("another content, and a content that was refused, get a new nonce", async () => {
  answer = broken;
  const { type, send } = await open();
  await type("one");
  await send();
  await type("two");
  answer = refused;
  await send();
  await send();
  expect(new Set(bodies.map(({ nonce }) => nonce)).size).toBe(3);
  expect(new DraftStore("task:t").get().text).toBe("two");
});

test("what is typed while a send is on its way is kept", async () => {
  const { type, result, act } = await open();
  let deliver: (response: Response) => void = () => {};
  answer = () => new Promise((resolve) => (deliver = resolve));
  await type("first");
  let sent: Promise<unknown> = Promise.resolve();
  await act(() => {
    sent = result.current.sender.send("scripted", async () => "t", false);
  });
  await type("second");
  await expect.poll(() => bodies.length).toBe(1);
  deliver(await accepted());
  await act(async () => void (await sent));
  expect(result.current.draft.text).toBe("second");
});

test("two clicks are one send, and blanks are none", async () => {
  answer = accepted;
  const { type, result, act } = await open();
  await type("  \n ");
  await act(async () => void (await result.current.sender.send("scripted", async () => "t", false)));
  expect(bodies).toEqual([]);
  await type("once");
  await act(async () => {
    const { send } = result.current.sender;
    await Promise.all([send("scripted", async () => "t", false), send("scripted", async () => "t", false)]);
  });
  expect(bodies).toHaveLength(1);
});

test("mentions go along while the text names them, chosen options where the agent starts", async () => {
  answer = accepted;
  const { store, act, send } = await open();
  const draft = { text: "see @a.rs", mentions: ["a.rs", "gone.rs"], options: { scripted: { model: "m" }, other: { x: true } } };
  await act(() => store.change(draft));
  await send(true);
  expect(bodies[0]).toMatchObject({ mentions: ["a.rs"], options: { model: "m" } });
  await act(() => store.change(draft));
  await send(false);
  expect(bodies[1]).not.toHaveProperty("options");
});
