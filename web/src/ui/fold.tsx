import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

interface Props {
  summary: ReactNode;
  children: () => ReactNode;
  open?: boolean;
  className?: string;
}

/** One line that opens to more. What is inside is made when it is first opened. */
export function Fold({ summary, children, open: initially = false, className = "" }: Props) {
  const [open, setOpen] = useState(initially);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className={className}>
      <summary className="flex min-h-7 items-center gap-1.5 rounded-md px-1 text-muted hover:bg-hover hover:text-text">
        <ChevronRight size={14} aria-hidden className={`shrink-0 ${open ? "rotate-90" : ""}`} />
        {summary}
      </summary>
      {open && children()}
    </details>
  );
}
