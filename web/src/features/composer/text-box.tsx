import { type ClipboardEvent, type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isComposing, isSendKey } from "../../state/enter-key";
import { readEnterKey } from "../../state/preferences";
import { pastedFiles } from "./uploads";
import type { CompletionHandle } from "./use-completion";

/** What others do with the box. */
export interface BoxHandle {
  focus(): void;
  /** Puts the caret there once the text has been drawn. */
  moveCaret(to: number): void;
  /** Whether the person types into it now. */
  isTyping(): boolean;
}

interface Props {
  value: string;
  placeholder: string;
  completion: CompletionHandle;
  onChange(text: string): void;
  onSubmit(): void;
  onFiles(files: File[]): void;
  /** Handles a key before the box does. True: it is done with. */
  onKey?(event: KeyboardEvent): boolean;
  describedBy?: string | undefined;
  ref?: Ref<BoxHandle>;
  autoFocus?: boolean | undefined;
}

/** Browsers that cannot let a box grow with its text by themselves. */
const GROWS = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content");

/** Where a message is written. It grows with its text, and never submits while an input method is composing. */
export function TextBox({ value, placeholder, completion, onChange, onSubmit, onFiles, onKey, describedBy, ref, autoFocus }: Props) {
  const { t } = useTranslation();
  const box = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  const enterSends = readEnterKey() === "sends";
  const { open } = completion;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (!GROWS) {
      element.style.height = "auto";
      element.style.height = `${element.scrollHeight}px`;
    }
    if (caret.current !== null) element.setSelectionRange(caret.current, caret.current);
    caret.current = null;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- height and caret follow from the text that is drawn
  }, [value]);
  useImperativeHandle(ref, () => ({
    focus: () => box.current?.focus(),
    moveCaret: (to) => {
      caret.current = to;
    },
    isTyping: () => document.hasFocus() && document.activeElement === box.current,
  }));
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event) || completion.press(event) || onKey?.(event)) return;
    // Out of the text, to where keys act on the chat.
    if (event.key === "Escape") return event.currentTarget.blur();
    if (!isSendKey(event)) return;
    event.preventDefault();
    if (!event.repeat) onSubmit();
  };
  const paste = (event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };
  const listed = open && open.suggestions.length > 0;
  return (
    <textarea
      ref={box}
      data-composer
      value={value}
      rows={1}
      autoFocus={autoFocus}
      aria-label={t("composer.label")}
      aria-describedby={describedBy}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls={listed ? open.listId : undefined}
      aria-activedescendant={listed && open.active >= 0 ? open.optionId(open.active) : undefined}
      placeholder={placeholder}
      enterKeyHint={enterSends ? "send" : "enter"}
      style={{ fieldSizing: "content" }}
      className="block max-h-[40vh] min-h-11 w-full resize-none bg-transparent px-3 py-2.5 outline-none placeholder:text-muted"
      onChange={(event) => {
        onChange(event.target.value);
        completion.caretAt(event.target.selectionStart);
      }}
      onSelect={(event) => completion.caretAt(event.currentTarget.selectionStart)}
      onKeyDown={press}
      onPaste={paste}
    />
  );
}
