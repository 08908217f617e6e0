import { ChevronDown, Folder } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Id, Project } from "../../api/types";
import { useOverview } from "../../app/context";
import { draftOf } from "../../state/drafts";
import { tasksByActivity } from "../../state/overview";
import { Button } from "../../ui/button";
import { Menu, MenuChoices } from "../../ui/menu";
import { newTaskDraft, NewTaskComposer } from "../composer/new-task-composer";

/** A composer for a new task in the project where something happened last, or in another one. */
export function WriteHere() {
  const { projects, tasks } = useOverview();
  const [chosen, setChosen] = useState<Id | null | undefined>(undefined);
  const there = [...projects.values()].filter((each) => !each.missing);
  const last = tasksByActivity(tasks.values()).find(({ project_id }) => there.some(({ id }) => id === project_id));
  const usual = last?.project_id ?? there[0]?.id ?? null;
  const project = chosen === undefined || (chosen !== null && !projects.has(chosen)) ? usual : chosen;
  const choose = (to: Id | null) => {
    draftOf(newTaskDraft(project)).moveTo(draftOf(newTaskDraft(to)));
    setChosen(to);
  };
  return (
    <div className="mt-4">
      <NewTaskComposer
        key={project}
        project={project}
        place={there.length > 0 && <ProjectPicker projects={there} project={project} onChoose={choose} />}
        autoFocus={chosen !== undefined}
      />
    </div>
  );
}

/** No project has this as its id. */
const NONE = "none";

interface PickerProps {
  projects: readonly Project[];
  project: Id | null;
  onChoose(project: Id | null): void;
}

function ProjectPicker({ projects, project, onChoose }: PickerProps) {
  const { t } = useTranslation();
  const name = projects.find(({ id }) => id === project)?.name ?? t("rail.noProject");
  const groups = [
    { label: null, choices: projects.map((each) => ({ value: each.id, name: each.name, note: each.path })) },
    { label: null, choices: [{ value: NONE, name: t("rail.noProject") }] },
  ];
  return (
    <Menu
      trigger={
        <Button look="quiet" className="max-w-44 min-w-0 shrink" aria-label={t("inbox.project", { name })} title={name}>
          <Folder size={14} className="shrink-0" aria-hidden />
          <span className="truncate">{name}</span>
          <ChevronDown size={14} className="shrink-0" aria-hidden />
        </Button>
      }
    >
      <MenuChoices value={project ?? NONE} groups={groups} onChoose={(id) => onChoose(id === NONE ? null : id)} />
    </Menu>
  );
}
