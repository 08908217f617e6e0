import { type KeyboardEvent, type Ref, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { readEnterKey } from "../../state/preferences";

interface Props {
  value: string;
  placeholder: string;
  onChange(text: string): void;
  onSubmit(): void;
  onFiles(files: File[]): void;
  ref?: Ref<HTMLTextAreaElement>;
  autoFocus?: boolean;
}

/** Where a message is written. It grows with its text, and never submits while an input method is composing. */
export function TextBox({ value, placeholder, onChange, onSubmit, onFiles, ref, autoFocus }: Props) {
  const { t } = useTranslation();
  const own = useRef<HTMLTextAreaElement>(null);
  const enterSends = readEnterKey() === "sends";
  useLayoutEffect(() => {
    const box = own.current;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the height follows from the text that is drawn
  }, [value]);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || isComposing(event)) return;
    const wanted = enterSends ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (!wanted) return;
    event.preventDefault();
    if (!event.repeat) onSubmit();
  };
  const setRefs = (box: HTMLTextAreaElement | null) => {
    own.current = box;
    if (typeof ref === "function") ref(box);
    else if (ref) ref.current = box;
  };
  return (
    <textarea
      ref={setRefs}
      value={value}
      rows={1}
      autoFocus={autoFocus}
      aria-label={t("composer.label")}
      placeholder={placeholder}
      enterKeyHint={enterSends ? "send" : "enter"}
      className="block max-h-[40vh] min-h-11 w-full resize-none bg-transparent px-3 py-2.5 outline-none placeholder:text-muted"
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={press}
      onPaste={(event) => {
        if (event.clipboardData.files.length === 0) return;
        event.preventDefault();
        onFiles([...event.clipboardData.files]);
      }}
    />
  );
}

/** 229 is what browsers report that end a composition before they send the key that ended it. */
function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}
