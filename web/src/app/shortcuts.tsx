import { lazy, Suspense, useState } from "react";
import { useLocation } from "wouter";
import { focusComposer } from "./focus";
import { newTaskPath, projectOfPath } from "./routes";
import { useKeyListener, useKeys } from "./use-keys";

const Palette = lazy(() => import("../features/palette/palette"));
const KeyHelp = lazy(() => import("../features/keys/key-help"));

/** The keys that act everywhere, and what they open. */
export function Shortcuts() {
  const [path, navigate] = useLocation();
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  const [place, setPlace] = useState(path);
  if (place !== path) {
    // What was opened at one address does not lie over another one, as after the browser's way back.
    setPlace(path);
    setOpen(null);
  }
  useKeyListener();
  useKeys({
    palette: () => setOpen("palette"),
    help: () => setOpen("help"),
    newTask: () => navigate(newTaskPath(projectOfPath(path))),
    compose: focusComposer,
  });
  const close = () => setOpen(null);
  return (
    <Suspense fallback={null}>
      {open === "palette" && <Palette onClose={close} />}
      {open === "help" && <KeyHelp onClose={close} />}
    </Suspense>
  );
}
