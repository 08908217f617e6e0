import { beforeEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { useState } from "react";
import { saveEnterKey } from "../../state/preferences";
import { show } from "../../testing/render";
import { TextBox } from "./text-box";

const submitted = vi.fn();

function Box() {
  const [text, setText] = useState("");
  return <TextBox value={text} placeholder="" onChange={setText} onSubmit={() => submitted(text)} onFiles={() => {}} autoFocus />;
}

const box = () => document.querySelector("textarea") as HTMLTextAreaElement;
const press = (init: KeyboardEventInit) => {
  const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init });
  box().dispatchEvent(event);
  return event;
};

beforeEach(() => {
  submitted.mockClear();
  saveEnterKey("sends");
});

test("Enter that ends a composition sends nothing; the next one sends once", async () => {
  await show(<Box />);
  await userEvent.fill(box(), "日本");
  expect(press({ isComposing: true }).defaultPrevented).toBe(false);
  expect(press({ keyCode: 229 }).defaultPrevented).toBe(false);
  expect(submitted).not.toHaveBeenCalled();
  expect(box().value).toBe("日本");
  press({});
  expect(submitted.mock.calls).toEqual([["日本"]]);
});

test("a key that is held down sends once and breaks no line", async () => {
  await show(<Box />);
  await userEvent.fill(box(), "once");
  press({});
  for (let n = 0; n < 5; n += 1) expect(press({ repeat: true }).defaultPrevented).toBe(true);
  expect(submitted).toHaveBeenCalledTimes(1);
});

test("Shift+Enter breaks the line, and the box grows with its text", async () => {
  await show(<Box />);
  const height = box().offsetHeight;
  await userEvent.type(box(), "one{Shift>}{Enter}{/Shift}two{Shift>}{Enter}{/Shift}three");
  expect(box().value).toBe("one\ntwo\nthree");
  expect(box().offsetHeight).toBeGreaterThan(height);
  expect(submitted).not.toHaveBeenCalled();
});

test("where Enter breaks lines, Ctrl+Enter sends", async () => {
  saveEnterKey("breaks");
  await show(<Box />);
  expect(box().enterKeyHint).toBe("enter");
  await userEvent.type(box(), "a{Enter}b");
  expect(box().value).toBe("a\nb");
  expect(submitted).not.toHaveBeenCalled();
  press({ ctrlKey: true });
  expect(submitted.mock.calls).toEqual([["a\nb"]]);
});
