import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { DraftStore } from "../../state/drafts";
import { saveEnterKey } from "../../state/preferences";
import { show } from "../../testing/render";
import { readCommands } from "./completion";
import { CompletionMenu } from "./completion-menu";
import { type BoxHandle, TextBox } from "./text-box";
import { useCompletion } from "./use-completion";
import { useDraft } from "./use-draft";
import { useRecall } from "./use-recall";

const submitted = vi.fn();
const attached = vi.fn();
let draft: DraftStore;

const COMMANDS = readCommands([
  { name: "plan", description: "Thinks first", input: { hint: "what to plan" } },
  { name: "review", description: "Looks at changes" },
]);

function Box({ project }: { project: string | null }) {
  const { text } = useDraft(draft);
  const box = useRef<BoxHandle>(null);
  const recall = useRecall(() => ["newest", "older"]);
  const moveCaret = (to: number) => box.current?.moveCaret(to);
  const completion = useCompletion({ project, commands: COMMANDS, draft, text, moveCaret });
  return (
    <div className="relative mt-96">
      {completion.open && <CompletionMenu completion={completion.open} place="above" hasProject={project !== null} agent="Scripted" hasCommands />}
      <TextBox
        ref={box}
        value={text}
        placeholder=""
        completion={completion}
        onChange={(next) => draft.change({ text: next })}
        onSubmit={() => submitted(text)}
        onFiles={attached}
        onKey={(event) => recall.press(event, text, (next) => draft.change({ text: next }))}
        autoFocus
      />
    </div>
  );
}

const box = () => document.querySelector("textarea") as HTMLTextAreaElement;
const press = (init: KeyboardEventInit) => {
  const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init });
  box().dispatchEvent(event);
  return event;
};
const open = (project: string | null = "p") =>
  show(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Box project={project} />
    </QueryClientProvider>,
  );
const active = () => document.getElementById(box().getAttribute("aria-activedescendant") ?? "")?.textContent;

beforeEach(() => {
  localStorage.clear();
  draft = new DraftStore("task:t");
  submitted.mockClear();
  attached.mockClear();
  saveEnterKey("sends");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const q = new URL(String(input), location.href).searchParams.get("q") ?? "";
    const files = ["src/main.rs", "src/my map.rs", "README.md"].filter((path) => path.toLowerCase().includes(q));
    return new Response(JSON.stringify({ files: files.map((path) => ({ path, name: path })) }));
  });
});
afterEach(() => vi.restoreAllMocks());

test("Enter that ends a composition sends nothing; the next one sends once", async () => {
  await open();
  await userEvent.fill(box(), "日本");
  expect(press({ isComposing: true }).defaultPrevented).toBe(false);
  expect(press({ keyCode: 229 }).defaultPrevented).toBe(false);
  expect(submitted).not.toHaveBeenCalled();
  expect(box().value).toBe("日本");
  press({});
  expect(submitted.mock.calls).toEqual([["日本"]]);
});

test("a key that is held down sends once and breaks no line", async () => {
  await open();
  await userEvent.fill(box(), "once");
  press({});
  for (let n = 0; n < 5; n += 1) expect(press({ repeat: true }).defaultPrevented).toBe(true);
  expect(submitted).toHaveBeenCalledTimes(1);
});

test("Shift+Enter breaks the line, and the box grows with its text", async () => {
  await open();
  const height = box().offsetHeight;
  await userEvent.type(box(), "one{Shift>}{Enter}{/Shift}two{Shift>}{Enter}{/Shift}three");
  expect(box().value).toBe("one\ntwo\nthree");
  expect(box().offsetHeight).toBeGreaterThan(height);
  expect(submitted).not.toHaveBeenCalled();
});

test("where Enter breaks lines, Ctrl+Enter sends", async () => {
  saveEnterKey("breaks");
  await open();
  expect(box().enterKeyHint).toBe("enter");
  await userEvent.type(box(), "a{Enter}b");
  expect(box().value).toBe("a\nb");
  expect(submitted).not.toHaveBeenCalled();
  press({ ctrlKey: true });
  expect(submitted.mock.calls).toEqual([["a\nb"]]);
});

test("@ finds files: arrows choose, Enter takes one and sends nothing, and the draft knows the mention", async () => {
  const screen = await open();
  await userEvent.type(box(), "see @ma");
  const list = screen.getByRole("listbox", { name: "Files of the project" });
  await expect.element(list.getByRole("option")).toHaveLength(2);
  expect(active()).toContain("main.rs");
  expect(box().getAttribute("aria-controls")).toBe(list.element().id);
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(box().value).toBe("see @src/my map.rs ");
  expect(box().selectionStart).toBe(box().value.length);
  expect(draft.get().mentions).toEqual(["src/my map.rs"]);
  expect(submitted).not.toHaveBeenCalled();
  expect(document.querySelector("[role=listbox]")).toBeNull();
});

test("Enter while composing takes nothing from an open menu", async () => {
  const screen = await open();
  await userEvent.type(box(), "@");
  await expect.element(screen.getByRole("listbox")).toBeVisible();
  expect(press({ isComposing: true }).defaultPrevented).toBe(false);
  expect(box().value).toBe("@");
});

test("Escape closes the menu and nothing else; the same sign does not open it again", async () => {
  const screen = await open();
  await userEvent.type(box(), "/");
  await expect.element(screen.getByRole("option", { name: /plan.*Thinks first/ })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(document.querySelector("[role=listbox]")).toBeNull();
  await userEvent.keyboard("re{Escape}");
  expect(document.querySelector("[role=listbox]")).toBeNull();
  expect(box().value).toBe("/re");
  press({});
  expect(submitted.mock.calls).toEqual([["/re"]]);
});

test("a command is taken with the mouse without leaving the text", async () => {
  const screen = await open();
  await userEvent.type(box(), "/rev");
  await userEvent.click(screen.getByRole("option", { name: /review/ }));
  expect(box().value).toBe("/review ");
  expect(document.activeElement).toBe(box());
});

test("without a project it is said why there are no files", async () => {
  const screen = await open(null);
  await userEvent.type(box(), "@x");
  await expect.element(screen.getByText(/belongs to no project/)).toBeVisible();
  press({});
  expect(submitted.mock.calls).toEqual([["@x"]]);
});

test("↑ in an empty box recalls what was sent, ↓ and Escape lead out; a text of one's own stays", async () => {
  await open();
  await userEvent.keyboard("{ArrowUp}");
  expect(box().value).toBe("newest");
  await userEvent.keyboard("{ArrowUp}{ArrowUp}");
  expect(box().value).toBe("older");
  await userEvent.keyboard("{ArrowDown}");
  expect(box().value).toBe("newest");
  await userEvent.keyboard("{Escape}");
  expect(box().value).toBe("");
  await userEvent.keyboard("mine{ArrowUp}{ArrowDown}{Escape}");
  expect(box().value).toBe("mine");
});

test("files that are pasted are attached; a text with its picture beside it is a text", async () => {
  await open();
  const paste = (types: Record<string, string>) => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "shot.png", { type: "image/png" }));
    for (const [type, value] of Object.entries(types)) data.setData(type, value);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    box().dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(paste({})).toBe(true);
  expect(attached.mock.calls[0]?.[0]).toHaveLength(1);
  expect(paste({ "text/plain": "cells", "text/html": "<b>cells</b>" })).toBe(false);
  expect(attached).toHaveBeenCalledTimes(1);
});
