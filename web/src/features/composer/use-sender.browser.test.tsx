import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderHook } from "vitest-browser-react";
import { readDraft } from "../../state/drafts";
import { useDraft } from "./use-draft";
import { useSender } from "./use-sender";

const bodies: { nonce: string; text: string }[] = [];
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

async function open() {
  const { result, act } = await renderHook(() => {
    const handle = useDraft("task:t");
    return { handle, sender: useSender(handle) };
  });
  const type = (text: string) => act(() => result.current.handle.change({ text }));
  const send = () => act(async () => void (await result.current.sender.send("scripted", async () => "t")));
  return { result, act, type, send };
}

test("the same content goes out again under the same nonce after a broken connection, also after a reload", async () => {
  answer = broken;
  const { type, send, result } = await open();
  await type("hello");
  await send();
  expect(result.current.handle.draft.text).toBe("hello");
  expect(result.current.sender.error).toMatchObject({ name: "Unreachable" });
  const reloaded = await open();
  answer = accepted;
  await reloaded.send();
  expect(bodies.map(({ nonce }) => nonce)).toEqual([bodies[0]?.nonce, bodies[0]?.nonce]);
  expect(reloaded.result.current.handle.draft.text).toBe("");
  expect(readDraft("task:t").pending).toBeNull();
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
  expect(readDraft("task:t").text).toBe("two");
});

test("what is typed while a send is on its way is kept", async () => {
  const { type, result, act } = await open();
  let deliver: (response: Response) => void = () => {};
  answer = () => new Promise((resolve) => (deliver = resolve));
  await type("first");
  let sent: Promise<unknown> = Promise.resolve();
  await act(() => {
    sent = result.current.sender.send("scripted", async () => "t");
  });
  await type("second");
  await expect.poll(() => bodies.length).toBe(1);
  deliver(await accepted());
  await act(async () => void (await sent));
  expect(result.current.handle.draft.text).toBe("second");
});

test("two clicks are one send, and blanks are none", async () => {
  answer = accepted;
  const { type, result, act } = await open();
  await type("  \n ");
  await act(async () => void (await result.current.sender.send("scripted", async () => "t")));
  expect(bodies).toEqual([]);
  await type("once");
  await act(async () => {
    const { send } = result.current.sender;
    await Promise.all([send("scripted", async () => "t"), send("scripted", async () => "t")]);
  });
  expect(bodies).toHaveLength(1);
});
