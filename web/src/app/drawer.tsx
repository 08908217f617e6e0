import { Dialog } from "@base-ui/react/dialog";
import { Menu } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Rail } from "../features/rail/rail";
import { needsYou } from "../state/overview";
import { IconButton } from "../ui/button";
import { useOverview } from "./context";

/** The rail behind a button, where there is no room for it. */
export default function Drawer() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { tasks } = useOverview();
  const waiting = [...tasks.values()].filter(needsYou).length;
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <header className="flex items-center gap-2 border-b border-line bg-rail px-2 py-1">
        <Dialog.Trigger render={<IconButton label={t("rail.open")} />}>
          <Menu size={18} aria-hidden />
        </Dialog.Trigger>
        <span className="font-semibold">{t("app.name")}</span>
        {waiting > 0 && <span className="ms-auto text-xs text-accent">{t("rail.needsYou", { count: waiting })}</span>}
      </header>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup className="fixed inset-y-0 start-0 z-50 w-[min(300px,86vw)] border-e border-line bg-rail">
          <Dialog.Title className="sr-only">{t("rail.label")}</Dialog.Title>
          <Rail onAct={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
