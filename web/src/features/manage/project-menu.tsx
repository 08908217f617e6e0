import { Ellipsis } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { renameProject } from "../../api/calls";
import type { Project } from "../../api/types";
import { useRuntime } from "../../app/context";
import { IconButton } from "../../ui/button";
import { Menu, MenuItem } from "../../ui/menu";
import { RemoveProject } from "./remove-project";
import { RenameDialog } from "./rename-dialog";

interface Props {
  project: Project;
  trigger?: ReactElement;
  /** Further items above the usual ones. */
  children?: ReactNode;
}

/** Everything that can be done with a project as a whole. */
export function ProjectMenu({ project, trigger, children }: Props) {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const [path, navigate] = useLocation();
  const [asking, setAsking] = useState<"rename" | "remove" | null>(null);
  const close = () => setAsking(null);
  const rename = async (name: string) => {
    runtime.overview.learn({ seq: 0, kind: "project.upsert", data: await renameProject(project.id, name) });
  };
  const removed = () => {
    runtime.overview.receive([{ seq: 0, kind: "project.deleted", data: { id: project.id } }]);
    if (path.startsWith(`/p/${project.id}`)) navigate("/");
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          trigger ?? (
            <IconButton label={t("rail.actions", { name: project.name })}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          )
        }
      >
        {children}
        <MenuItem onSelect={() => setAsking("rename")}>{t("project.rename")}</MenuItem>
        <MenuItem danger onSelect={() => setAsking("remove")}>
          {t("project.remove")}
        </MenuItem>
      </Menu>
      {asking === "rename" && (
        <RenameDialog title={t("project.renameTitle")} label={t("project.name")} value={project.name} onSave={rename} onClose={close} />
      )}
      {asking === "remove" && <RemoveProject project={project} onRemoved={removed} onClose={close} />}
    </>
  );
}
