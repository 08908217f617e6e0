import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

interface Props {
  summary: ReactNode;
  children: () => ReactNode;
  open?: boolean;
  /** A name for its place: one that was opened is open again when it comes back into the page. */
  place?: string;
  className?: string;
}

/** The places of what was opened. A turn that is scrolled away is not in the page. */
const opened = new Set<string>();

/** One line that opens to more. What is inside is made when it is first opened. */
export function Fold({ summary, children, open: initially = false, place, className = "" }: Props) {
  const [open, setOpen] = useState(initially || (place !== undefined && opened.has(place)));
  const toggled = (isOpen: boolean) => {
    setOpen(isOpen);
    if (place === undefined) return;
    if (isOpen) opened.add(place);
    else opened.delete(place);
  };
  return (
    <details open={open} onToggle={(event) => toggled(event.currentTarget.open)} className={className}>
      <summary className="flex min-h-7 items-center gap-1.5 rounded-md px-1 text-muted hover:bg-hover hover:text-text">
        <ChevronRight size={14} aria-hidden className={`shrink-0 ${open ? "rotate-90" : ""}`} />
        {summary}
      </summary>
      {open && children()}
    </details>
  );
}
