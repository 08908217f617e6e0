import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { type ReactNode, useRef } from "react";
import type { ChoicesProps, ItemProps } from "./menu";
import { Prose } from "./prose";

const POPUP = "z-50 max-h-[min(60vh,28rem)] min-w-44 max-w-[min(26rem,calc(100vw-16px))] overflow-y-auto rounded-md border border-line bg-raised py-1 shadow-lg";
const ITEM = "flex min-h-8 cursor-default items-start gap-2 px-3 py-1.5 outline-none data-[highlighted]:bg-hover data-[disabled]:text-muted";

export interface PopupProps {
  open: boolean;
  onClose(): void;
  /** The id of the button that opens it: it stands beside it, has its name, and gives the focus back to it. */
  button: string;
  /** Opened by a key: the first item has the focus. */
  byKey: boolean;
  side: "top" | "bottom";
  align: "start" | "end";
  children: ReactNode;
}

export function MenuPopup({ open, onClose, button, byKey, side, align, children }: PopupProps) {
  const find = () => document.getElementById(button);
  const popup = useRef<HTMLDivElement>(null);
  const opened = (isOpen: boolean) => {
    if (isOpen && byKey) popup.current?.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
  };
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()} onOpenChangeComplete={opened}>
      <Base.Portal>
        <Base.Positioner anchor={find} side={side} align={align} sideOffset={4} className="z-50">
          <Base.Popup ref={popup} aria-labelledby={button} finalFocus={find} className={POPUP}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function Item({ onSelect, children, disabled = false, danger = false }: ItemProps) {
  return (
    <Base.Item className={`${ITEM} ${danger ? "text-danger" : ""}`} disabled={disabled} onClick={onSelect}>
      {children}
    </Base.Item>
  );
}

export function Choices({ value, groups, onChoose }: ChoicesProps) {
  return (
    <Base.RadioGroup value={value ?? ""} onValueChange={(next: string) => onChoose(next)}>
      {groups.map((group, index) => (
        <Base.Group key={group.label ?? index}>
          {group.label && <Base.GroupLabel className="px-3 pt-2 pb-1 text-xs text-muted">{group.label}</Base.GroupLabel>}
          {group.choices.map((choice, place) => (
            <Base.RadioItem
              key={`${place}:${choice.value}`}
              value={choice.value}
              disabled={choice.disabled ?? false}
              closeOnClick
              className={ITEM}
            >
              <span className="mt-0.5 w-4 shrink-0">
                <Base.RadioItemIndicator>
                  <Check size={14} aria-hidden />
                </Base.RadioItemIndicator>
              </span>
              <span className="min-w-0">
                <span className="block">{choice.name}</span>
                {choice.note && <span className="block text-xs text-muted"><Prose text={choice.note} /></span>}
              </span>
            </Base.RadioItem>
          ))}
        </Base.Group>
      ))}
    </Base.RadioGroup>
  );
}
