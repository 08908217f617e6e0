import { lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { ConnectionBanner } from "../features/connection/banner";
import { Rail } from "../features/rail/rail";
import { Shortcuts } from "./shortcuts";
import { useForgetDrafts } from "./use-forget-drafts";

const Drawer = lazy(() => import("./drawer"));

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
        className="absolute start-2 -top-20 z-50 flex items-center rounded-md bg-raised px-3 py-1.5 focus:top-2"
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
          <div className="w-[min(16.5rem,30vw)] shrink-0 border-e border-line">
            <Rail />
          </div>
        ) : (
          // A new address is a new drawer: it closes when something in it was chosen.
          <Suspense fallback={<div className="min-h-10 border-b border-line bg-rail" />}>
            <Drawer key={path} />
          </Suspense>
        )}
        <main id="content" tabIndex={-1} className="min-h-0 min-w-0 flex-1 outline-none">
          {children}
        </main>
      </div>
    </div>
  );
}
