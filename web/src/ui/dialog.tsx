import { type ReactNode, Suspense, useState } from "react";
import { late } from "./late";

export interface DialogProps {
  open: boolean;
  title: string;
  onClose(): void;
  children: ReactNode;
}

const DIALOG = "top-[12vh] left-1/2 max-h-[76vh] -translate-x-1/2 rounded-md border";
const USUAL = "w-[min(34rem,calc(100vw-24px))]";
/** For text in lines of its own. */
const WIDE = "w-[min(56rem,calc(100vw-24px))]";
const SHEET = "inset-x-0 bottom-0 max-h-[80dvh] rounded-t-md border-t pb-[env(safe-area-inset-bottom)]";

const Modal = late(async () => (await import("./modal")).Modal);

/** Fetches what an open dialog is made of. */
export const loadDialogs = (): Promise<unknown> => Modal.load();

/** A modal dialog: takes the focus, keeps it, gives it back. */
export function Dialog({ wide = false, ...props }: DialogProps & { wide?: boolean }) {
  return <OnceOpened {...props} place={`${DIALOG} ${wide ? WIDE : USUAL}`} />;
}

/** The same at the lower edge of a narrow screen, where a thumb reaches it. */
export function Sheet(props: DialogProps) {
  return <OnceOpened {...props} place={SHEET} />;
}

/** Nothing until it is opened first. */
function OnceOpened(props: DialogProps & { place: string }) {
  const [used, setUsed] = useState(props.open);
  if (props.open && !used) setUsed(true);
  if (!used) return null;
  return (
    <Suspense fallback={null}>
      <Modal {...props} />
    </Suspense>
  );
}
