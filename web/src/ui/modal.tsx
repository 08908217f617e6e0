import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button";
import type { DialogProps } from "./dialog";

/** `place`: where it stands, as classes. */
export function Modal({ open, title, onClose, children, place }: DialogProps & { place: string }) {
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
