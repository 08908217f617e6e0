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

/** A modal sheet at the lower edge of a narrow screen, where a thumb reaches it. */
export function Sheet({ open, title, onClose, children }: Props) {
  const { t } = useTranslation();
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup className="fixed inset-x-0 bottom-0 z-50 flex max-h-[80dvh] flex-col rounded-t-md border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] shadow-lg">
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
