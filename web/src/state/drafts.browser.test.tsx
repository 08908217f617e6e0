import { beforeEach, expect, test, vi } from "vitest";
import { type Draft, DraftStore } from "./drafts";

const KEY = "drover:draft:task:t";

beforeEach(() => localStorage.clear());

/** Another tab: its writes reach this one as storage events, as the browser would send them. */
function tab() {
  const store = new DraftStore("task:t");
  const stop = store.subscribe(() => {});
  return { store, stop, text: () => store.get().text };
}

/** What the other tabs hear when a tab does something. */
function heard(act: () => void): void {
  const events: [string | null, string | null][] = [];
  const note = (write: (key: string) => void) =>
    function (this: Storage, ...args: string[]) {
      const before = this.getItem(KEY);
      Reflect.apply(write, this, args);
      if (args[0] === KEY) events.push([before, this.getItem(KEY)]);
    };
  const { setItem, removeItem } = Storage.prototype;
  const set = vi.spyOn(Storage.prototype, "setItem").mockImplementation(note(setItem as typeof removeItem));
  const remove = vi.spyOn(Storage.prototype, "removeItem").mockImplementation(note(removeItem));
  act();
  set.mockRestore();
  remove.mockRestore();
  for (const [oldValue, newValue] of events) window.dispatchEvent(new StorageEvent("storage", { key: KEY, oldValue, newValue }));
}

test("a draft shows in the other tabs, except where the person is typing", () => {
  const [here, there] = [tab(), tab()];
  heard(() => here.store.change({ text: "shared" }));
  expect(there.text()).toBe("shared");
  expect(there.store.get().nonce).toBe(here.store.get().nonce);
  const stop = there.store.watchTyping(() => true);
  heard(() => here.store.change({ text: "more" }));
  expect(there.text()).toBe("shared");
  stop();
  heard(() => here.store.change({ text: "again" }));
  expect(there.text()).toBe("again");
});

test("once it was sent it is gone from every tab, also from one that is being typed in", () => {
  const [here, there] = [tab(), tab()];
  heard(() => here.store.change({ text: "shared" }));
  there.store.watchTyping(() => true);
  heard(() => here.store.sent(here.store.get()));
  expect([here.text(), there.text()]).toEqual(["", ""]);
  expect(localStorage.getItem(KEY)).toBeNull();
});

test("another text than the one that went out stays, and is another message", () => {
  const [here, there] = [tab(), tab()];
  heard(() => here.store.change({ text: "shared" }));
  const stop = there.store.watchTyping(() => true);
  const { nonce } = there.store.get();
  const sent: Draft = here.store.get();
  there.store.change({ text: "shared and more" });
  heard(() => here.store.sent(sent));
  expect(there.text()).toBe("shared and more");
  expect(there.store.get().nonce).not.toBe(nonce);
  stop();
});

test("what was attached while it was on its way is kept for the next message", () => {
  const { store } = tab();
  const file = (id: string) => ({ id, name: id, size: 1, mime_type: "text/plain" });
  store.change({ text: "x", attachments: [file("a")] });
  const sent = store.get();
  store.change({ attachments: [file("a"), file("b")] });
  store.sent(sent);
  expect(store.get()).toMatchObject({ text: "", attachments: [file("b")] });
  expect(store.get().nonce).not.toBe(sent.nonce);
});

test("a store that takes no more keeps the text in the composer", () => {
  const { store, stop } = tab();
  const set = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  store.change({ text: "kept" });
  stop();
  store.subscribe(() => {});
  expect(store.get().text).toBe("kept");
  set.mockRestore();
});

test("a long draft is written when there is a pause, and when the page goes", () => {
  const { store } = tab();
  const long = "x".repeat(30_000);
  store.change({ text: long });
  window.dispatchEvent(new Event("pagehide"));
  expect(new DraftStore("task:t").get().text).toBe(long);
});
