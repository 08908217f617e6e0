import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button";
import { Sheet } from "../../ui/dialog";
import { useMedia } from "../../ui/use-media";

/** The pickers in a line; on a narrow screen behind one button that says to whom the message goes. */
export function PickerFold({ agent, children }: { agent: string | null; children: ReactNode }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!useMedia("(max-width: 639px)")) return children;
  const name = agent ?? t("agent.choose");
  return (
    <>
      <Button look="quiet" className="max-w-36 min-w-0" aria-haspopup="dialog" aria-label={t("composer.choices", { agent: name })} onClick={() => setOpen(true)}>
        <SlidersHorizontal size={14} className="shrink-0" aria-hidden />
        <span className="truncate">{name}</span>
      </Button>
      <Sheet open={open} title={t("composer.choicesTitle")} onClose={() => setOpen(false)}>
        <div className="picker-sheet flex flex-col items-start gap-1">{children}</div>
      </Sheet>
    </>
  );
}
