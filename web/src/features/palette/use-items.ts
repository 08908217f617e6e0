import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useOverview } from "../../app/context";
import { newTaskPath, projectOfPath, projectPath, taskOfPath, taskPath } from "../../app/routes";
import { runKey } from "../../app/use-keys";
import { changeLanguage, LANGUAGES, languageOf } from "../../i18n";
import { KEYS } from "../../state/keys";
import { tasksByActivity } from "../../state/overview";
import { saveLanguage, saveTheme, THEMES } from "../../state/preferences";
import { oneLine, reveal } from "../../ui/text";
import { isBusy, stopTask } from "../manage/stop";
import { useChangeTask } from "../manage/task-menu";
import type { Item, ItemGroup } from "./items";

const SETTINGS = ["appearance", "agents", "configuration", "browsers", "about"] as const;

/** Everything that can be chosen here and now. `tell` hears of what went wrong. */
export function useItems(tell: (error: unknown) => void): ItemGroup[] {
  const { t } = useTranslation();
  const { tasks, projects } = useOverview();
  const here = useHere(tell);
  const everywhere = useEverywhere();
  const [, navigate] = useLocation();
  return useMemo(() => {
    const places = [...projects.values()].toSorted((a, b) => a.name.localeCompare(b.name));
    return [
      {
        id: "tasks",
        label: t("palette.tasks"),
        items: tasksByActivity(tasks.values()).map((task) => ({
          id: task.id,
          label: reveal(oneLine(task.title ?? "")) || t("task.untitled"),
          note: projects.get(task.project_id ?? "")?.name,
          task,
          run: () => navigate(taskPath(task)),
        })),
      },
      {
        id: "projects",
        label: t("palette.projects"),
        items: places.map(({ id, name, path }) => ({ id, label: name, note: path, run: () => navigate(projectPath(id)) })),
      },
      { id: "actions", label: t("palette.actions"), items: [...here, ...everywhere] },
    ];
  }, [t, tasks, projects, here, everywhere, navigate]);
}

/** What can be done with the task that is shown. */
function useHere(tell: (error: unknown) => void): Item[] {
  const { t } = useTranslation();
  const { tasks } = useOverview();
  const change = useChangeTask();
  const [path] = useLocation();
  const task = tasks.get(taskOfPath(path) ?? "");
  if (!task) return [];
  const act = (id: string, label: string, run: () => Promise<void>): Item => ({ id, label, run: () => void run().catch(tell) });
  return [
    ...(isBusy(task) || task.state === "background" ? [{ ...act("stop", t("palette.stop"), () => stopTask(task.id)), chord: KEYS.stop }] : []),
    act("pin", task.pinned ? t("palette.unpin") : t("palette.pin"), () => change(task, { pinned: !task.pinned })),
    act("archive", task.archived ? t("palette.unarchive") : t("palette.archive"), () => change(task, { archived: !task.archived })),
  ];
}

/** What can be done anywhere. */
function useEverywhere(): Item[] {
  const { t } = useTranslation();
  const [path, navigate] = useLocation();
  const go = (to: string) => () => navigate(to);
  return [
    { id: "new", label: t("rail.newTask"), chord: KEYS.newTask, run: go(newTaskPath(projectOfPath(path))) },
    { id: "loose", label: t("palette.newLoose"), run: go("/new") },
    { id: "inbox", label: t("palette.inbox"), run: go("/") },
    { id: "add", label: t("rail.addProject"), run: go("/add") },
    { id: "keys", label: t("rail.keys"), chord: KEYS.help, run: () => runKey("help") },
    { id: "settings", label: t("rail.settings"), run: go("/settings") },
    ...SETTINGS.map((section) => ({
      id: `settings-${section}`,
      label: t("palette.settings", { section: t(`settings.${section}`) }),
      quiet: true,
      run: go(`/settings/${section}`),
    })),
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: t("palette.theme", { theme: t(`settings.themes.${theme}`) }),
      quiet: true,
      run: () => saveTheme(theme),
    })),
    ...LANGUAGES.map(({ id, name }) => ({
      id: `language-${id}`,
      label: t("palette.language", { language: name }),
      also: "language 语言",
      quiet: true,
      run: () => {
        saveLanguage(id);
        void changeLanguage(languageOf(id));
      },
    })),
  ];
}
