import { Dialog } from "@base-ui/react/dialog";
import { Menu } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { ConnectionBanner } from "../features/connection/banner";
import { Rail } from "../features/rail/rail";
import { needsYou } from "../state/overview";
import { IconButton } from "../ui/button";
import { useOverview } from "./context";
import { Shortcuts } from "./shortcuts";
import { useForgetDrafts } from "./use-forget-drafts";

const wide = matchMedia("(min-width: 900px)");
const watchWidth = (listener: () => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

/** The rail at the edge, or behind a button where there is no room, and the present page. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const roomy = useSyncExternalStore(watchWidth, () => wide.matches);
  const [path] = useLocation();
  useForgetDrafts();
  return (
    <div className="flex h-full flex-col">
      <a
        href="#content"
        className="absolute start-2 -top-20 z-50 rounded-md bg-raised px-3 py-1.5 focus:top-2"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        {t("app.skip")}
      </a>
      <Shortcuts />
      <ConnectionBanner />
      <div className="flex min-h-0 flex-1 max-[900px]:flex-col">
        {roomy ? (
          <div className="w-[264px] shrink-0 border-e border-line">
            <Rail />
          </div>
        ) : (
          // A new address is a new drawer: it closes when something in it was chosen.
          <Drawer key={path} />
        )}
        <main id="content" tabIndex={-1} className="min-h-0 min-w-0 flex-1 outline-none">
          {children}
        </main>
      </div>
    </div>
  );
}

function Drawer() {
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
          <Rail />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
