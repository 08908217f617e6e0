import { cloneElement, type HTMLAttributes, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode, Suspense, useId, useState } from "react";
import { late } from "./late";

const code = () => import("./menu-popup");
const Popup = late(async () => {
  const { MenuPopup } = await code();
  // What is in it is drawn with it.
  await Promise.all([MenuItem.load(), MenuChoices.load()]);
  return MenuPopup;
});

/** Fetches what an open menu is made of. */
export const loadMenus = (): Promise<unknown> => Popup.load();

interface MenuProps {
  /** A button. */
  trigger: ReactElement;
  children: ReactNode;
  side?: "top" | "bottom";
  align?: "start" | "end";
}

type TriggerProps = HTMLAttributes<HTMLElement> & { "data-popup-open"?: string | undefined };

/** A button with a menu. A page has many: until one is opened first, it is no more than its button. */
export function Menu({ trigger, children, side = "bottom", align = "start" }: MenuProps) {
  const ownId = useId();
  const [used, setUsed] = useState(false);
  const [open, setOpen] = useState(false);
  const [byKey, setByKey] = useState(false);
  const show = (key: boolean) => {
    setUsed(true);
    setByKey(key);
    setOpen(true);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    show(true);
  };
  const element = trigger as ReactElement<TriggerProps>;
  const id = element.props.id ?? ownId;
  const shown = cloneElement(element, {
    id,
    "aria-haspopup": "menu",
    "aria-expanded": open,
    "data-popup-open": open ? "" : undefined,
    // A key that presses a button makes a click without a count.
    onClick: ({ detail }: MouseEvent) => show(detail === 0),
    onKeyDown: press,
    // By the time of the click it is there.
    onPointerEnter: () => void loadMenus().catch(() => {}),
  });
  return (
    <>
      {shown}
      {used && (
        <Suspense fallback={null}>
          <Popup open={open} onClose={() => setOpen(false)} button={id} byKey={byKey} side={side} align={align}>
            {children}
          </Popup>
        </Suspense>
      )}
    </>
  );
}

export interface ItemProps {
  onSelect(): void;
  children: ReactNode;
  disabled?: boolean;
  /** Marks what destroys something. */
  danger?: boolean;
}

export const MenuItem = late<ItemProps>(async () => (await code()).Item);

export interface Choice {
  value: string;
  name: string;
  /** A second, quieter line. */
  note?: string | undefined;
  disabled?: boolean;
}

export interface ChoicesProps {
  value: string | null;
  groups: readonly { label: string | null; choices: readonly Choice[] }[];
  onChoose(value: string): void;
}

/** One of several, in the given order and words. */
export const MenuChoices = late<ChoicesProps>(async () => (await code()).Choices);
