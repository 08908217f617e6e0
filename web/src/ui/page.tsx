import type { ReactNode } from "react";

/** A plain page beside the rail: a title, things to do with it, and content in one measure. */
export function Page({ title, actions, children }: { title: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-[46rem] px-4 pt-6 pb-16">
        <header className="flex items-start justify-between gap-3">
          {/* What is still being fetched has no title yet. */}
          {title !== "" && <h1 className="min-w-0 text-lg font-semibold">{title}</h1>}
          {actions}
        </header>
        {children}
      </div>
    </div>
  );
}
