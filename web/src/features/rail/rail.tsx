import { CircleHelp, Inbox, Plus, Search, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { useOverview } from "../../app/context";
import { newTaskPath, projectOfPath } from "../../app/routes";
import { runKey } from "../../app/use-keys";
import { KEYS } from "../../state/keys";
import { needsYou } from "../../state/overview";
import { IconButton } from "../../ui/button";
import { Keys } from "../../ui/keys";
import { ConnectionIndicator } from "../connection/indicator";
import { Groups } from "./groups";

const ROW = "flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-start hover:bg-hover";

interface RailProps {
  /** Something was opened that is not a place: a drawer makes way for it. */
  onAct?(): void;
}

/** Projects with their tasks, at the edge until wanted. */
export function Rail({ onAct }: RailProps) {
  const { t } = useTranslation();
  const { tasks } = useOverview();
  const [path] = useLocation();
  const act = (action: "palette" | "help") => {
    onAct?.();
    runKey(action);
  };
  const waiting = [...tasks.values()].filter(needsYou).length;
  return (
    <nav aria-label={t("rail.label")} className="flex h-full flex-col gap-0.5 bg-rail p-2">
      <button type="button" className={`${ROW} text-muted`} aria-keyshortcuts="Control+K Meta+K" onClick={() => act("palette")}>
        <Search size={16} aria-hidden />
        <span className="flex-1">{t("rail.search")}</span>
        <Keys chord={KEYS.palette} />
      </button>
      <Entry to={newTaskPath(projectOfPath(path))} current={path === "/new"} icon={<Plus size={16} aria-hidden />}>
        {t("rail.newTask")}
      </Entry>
      <Entry to="/" current={path === "/"} icon={<Inbox size={16} aria-hidden />}>
        <span className="flex-1">{t("rail.inbox")}</span>
        {waiting > 0 && (
          <span className="rounded-full bg-accent-fill px-1.5 text-xs text-accent-on">
            <span aria-hidden="true">{waiting}</span>
            <span className="sr-only">{t("rail.needsYou", { count: waiting })}</span>
          </span>
        )}
      </Entry>
      <div className="-mx-2 min-h-0 flex-1 overflow-y-auto px-2 pt-3 pb-1">
        <Groups path={path} />
        <Entry to="/add" current={path === "/add"} icon={<Plus size={14} aria-hidden />}>
          <span className="text-muted">{t("rail.addProject")}</span>
        </Entry>
      </div>
      <footer className="flex items-center gap-1 border-t border-line pt-1">
        <Entry to="/settings" current={path.startsWith("/settings")} icon={<Settings size={16} aria-hidden />}>
          {t("rail.settings")}
        </Entry>
        <IconButton label={t("rail.keys")} className="min-h-8 min-w-8" onClick={() => act("help")}>
          <CircleHelp size={16} aria-hidden />
        </IconButton>
        <ConnectionIndicator />
      </footer>
    </nav>
  );
}

interface EntryProps {
  to: string;
  current: boolean;
  icon: ReactNode;
  children: ReactNode;
}

function Entry({ to, current, icon, children }: EntryProps) {
  return (
    <Link href={to} aria-current={current ? "page" : undefined} className={`${ROW} aria-[current]:bg-hover aria-[current]:font-medium`}>
      {icon}
      {children}
    </Link>
  );
}
