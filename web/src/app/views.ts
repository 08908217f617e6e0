import { loadDialogs } from "../ui/dialog";
import { late } from "../ui/late";
import { loadMenus } from "../ui/menu";
import { taskOfPath } from "./routes";

export const TaskPage = late(async () => (await import("../features/task/task-page")).TaskPage);
export const ProjectPage = late(async () => (await import("../features/project/project-page")).ProjectPage);
export const LooseTaskPage = late(async () => (await import("../features/project/project-page")).LooseTaskPage);
export const LaunchScreen = late(async () => (await import("../features/pairing/launch-screen")).LaunchScreen);
export const PairingScreen = late(async () => (await import("../features/pairing/pairing-screen")).PairingScreen);
export const Inbox = late(async () => (await import("../features/inbox/inbox")).Inbox);
export const Settings = late(async () => (await import("../features/settings/settings")).Settings);
export const AgentPage = late(async () => (await import("../features/agents/agent-page")).AgentPage);
export const FirstRun = late(async () => (await import("../features/first-run/first-run")).FirstRun);
export const AddProject = late(async () => (await import("../features/first-run/first-run")).AddProject);

const VIEWS = [Inbox, TaskPage, ProjectPage, LooseTaskPage, LaunchScreen, PairingScreen, Settings, AgentPage, FirstRun, AddProject];

/** Fetches the view of the present address, so that the first thing that is drawn has it. */
export async function loadFirstView(): Promise<void> {
  // One that cannot be fetched now is fetched, and its failure told, when it is drawn.
  await Promise.allSettled(firstViews().map((view) => view.load()));
}

function firstViews(): { load(): Promise<unknown> }[] {
  const { pathname } = location;
  // The shell has words of its own only for a browser that is not paired.
  if (document.querySelector("#root main")) return [PairingScreen];
  if (pathname === "/launch") return [LaunchScreen];
  if (pathname === "/") return [Inbox];
  if (pathname === "/add") return [AddProject];
  if (taskOfPath(pathname)) return [TaskPage];
  if (/^\/(p\/|new$)/.test(pathname)) return [ProjectPage, LooseTaskPage];
  if (pathname.startsWith("/settings/agents/")) return [AgentPage];
  return pathname.startsWith("/settings") ? [Settings] : [];
}

/**
 * Fetches all other views, menus and dialogs when there is time: a daemon of a newer version no longer has the files of this page, and a tab
 * must go on without them.
 */
export function prefetchViews(): void {
  const fetchAll = () => void Promise.allSettled([loadMenus(), loadDialogs(), ...VIEWS.map((view) => view.load())]);
  (globalThis.requestIdleCallback ?? setTimeout)(fetchAll);
}
