import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Prose } from "./prose";

const POPUP = "z-50 max-h-[min(60vh,28rem)] min-w-44 max-w-[min(26rem,calc(100vw-16px))] overflow-y-auto rounded-md border border-line bg-raised py-1 shadow-lg";
const ITEM = "flex min-h-8 cursor-default items-start gap-2 px-3 py-1.5 outline-none data-[highlighted]:bg-hover data-[disabled]:text-muted";

interface MenuProps {
  trigger: ReactElement;
  children: ReactNode;
  side?: "top" | "bottom";
  align?: "start" | "end";
}

export function Menu({ trigger, children, side = "bottom", align = "start" }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={4} className="z-50">
          <Base.Popup className={POPUP}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  onSelect(): void;
  children: ReactNode;
  disabled?: boolean;
  /** Marks what destroys something. */
  danger?: boolean;
}

export function MenuItem({ onSelect, children, disabled = false, danger = false }: ItemProps) {
  return (
    <Base.Item className={`${ITEM} ${danger ? "text-danger" : ""}`} disabled={disabled} onClick={onSelect}>
      {children}
    </Base.Item>
  );
}

export interface Choice {
  value: string;
  name: string;
  /** A second, quieter line. */
  note?: string | undefined;
  disabled?: boolean;
}

interface ChoicesProps {
  value: string | null;
  groups: readonly { label: string | null; choices: readonly Choice[] }[];
  onChoose(value: string): void;
}

/** One of several, in the given order and words. */
export function MenuChoices({ value, groups, onChoose }: ChoicesProps) {
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
