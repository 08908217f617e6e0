import { FolderX, Plus } from "lucide-react";
import { type DragEvent, type KeyboardEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import type { Id, Project } from "../../api/types";
import { newTaskPath, projectPath } from "../../app/routes";
import { IconButton } from "../../ui/button";
import { MenuItem } from "../../ui/menu";
import { RailProjectMenu } from "./menus";

interface Props {
  project: Project;
  path: string;
  fold: ReactNode;
  first: boolean;
  last: boolean;
  onStep(by: -1 | 1): void;
  drag: { dragged: Id | null; onStart(): void; onDrop(): void; onEnd(): void };
}

/** A project's line in the rail. It is moved by dragging, by Alt and an arrow, or from its menu. */
export function ProjectHeading({ project, path, fold, first, last, onStep, drag }: Props) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const [over, setOver] = useState(false);
  const to = projectPath(project.id);
  const target = over && drag.dragged !== null && drag.dragged !== project.id;
  const steps = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    onStep(event.key === "ArrowUp" ? -1 : 1);
  };
  const take = (event: DragEvent) => {
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", project.path);
    drag.onStart();
  };
  const allow = (event: DragEvent) => {
    if (drag.dragged === null) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <h2
      className={`group relative flex min-h-7 items-center rounded-md text-xs font-semibold text-muted ${target ? "outline-2 outline-accent" : ""} ${drag.dragged === project.id ? "opacity-50" : ""}`}
    >
      {fold}
      <Link
        href={to}
        title={project.path}
        draggable
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onDragStart={take}
        onDragOver={allow}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          drag.onDrop();
        }}
        onDragEnd={drag.onEnd}
        aria-current={path === to ? "page" : undefined}
        onKeyDown={steps}
        className="flex min-h-7 min-w-0 flex-1 items-center gap-1.5 rounded-md px-1 hover:bg-hover group-focus-within:pe-14 group-hover:pe-14 aria-[current]:bg-hover aria-[current]:text-text pointer-coarse:pe-24"
      >
        {project.missing && <FolderX size={14} className="shrink-0 text-danger" aria-label={t("rail.missing")} />}
        <span className="min-w-0 truncate">{project.name}</span>
      </Link>
      <span className="absolute inset-y-0 end-0 flex items-center opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-[[data-popup-open]]:opacity-100 pointer-coarse:opacity-100">
        <RailProjectMenu project={project}>
          {!first && <MenuItem onSelect={() => onStep(-1)}>{t("rail.moveUp")}</MenuItem>}
          {!last && <MenuItem onSelect={() => onStep(1)}>{t("rail.moveDown")}</MenuItem>}
        </RailProjectMenu>
        <IconButton label={t("rail.newTaskIn", { name: project.name })} onClick={() => navigate(newTaskPath(project.id))}>
          <Plus size={14} aria-hidden />
        </IconButton>
      </span>
    </h2>
  );
}
