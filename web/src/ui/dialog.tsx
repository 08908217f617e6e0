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

/** A modal dialog: takes the focus, keeps it, gives it back. */
export function Dialog({ open, title, onClose, children }: Props) {
  const { t } = useTranslation();
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup className="fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[min(34rem,calc(100vw-24px))] -translate-x-1/2 flex-col rounded-md border border-line bg-raised shadow-lg">
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
