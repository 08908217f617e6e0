import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button";

interface Props {
  open: boolean;
  title: string;
  onClose(): void;
  children: ReactNode;
}

const DIALOG = "top-[12vh] left-1/2 max-h-[76vh] w-[min(34rem,calc(100vw-24px))] -translate-x-1/2 rounded-md border";
const SHEET = "inset-x-0 bottom-0 max-h-[80dvh] rounded-t-md border-t pb-[env(safe-area-inset-bottom)]";

/** A modal dialog: takes the focus, keeps it, gives it back. */
export function Dialog(props: Props) {
  return <Modal {...props} place={DIALOG} />;
}

/** The same at the lower edge of a narrow screen, where a thumb reaches it. */
export function Sheet(props: Props) {
  return <Modal {...props} place={SHEET} />;
}

function Modal({ open, title, onClose, children, place }: Props & { place: string }) {
  const { t } = useTranslation();
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup className={`fixed z-50 flex flex-col border-line bg-raised shadow-lg ${place}`}>
          <header className="flex items-center justify-between gap-3 border-b border-line px-4 py-2">
            <Base.Title className="font-semibold">{title}</Base.Title>
            <Base.Close render={<IconButton label={t("app.close")} />}>
              <X size={16} aria-hidden />
            </Base.Close>
          </header>
          <div className="min-h-0 overflow-y-auto p-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
