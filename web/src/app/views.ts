import { lazy } from "react";

const views = {
  inbox: () => import("../features/inbox/inbox"),
  task: () => import("../features/task/task-page"),
  project: () => import("../features/project/project-page"),
  launch: () => import("../features/pairing/launch-screen"),
  pairing: () => import("../features/pairing/pairing-screen"),
  settings: () => import("../features/settings/settings"),
  agent: () => import("../features/agents/agent-page"),
  picker: () => import("../features/first-run/first-run"),
};

export const TaskPage = lazy(async () => ({ default: (await views.task()).TaskPage }));
export const ProjectPage = lazy(async () => ({ default: (await views.project()).ProjectPage }));
export const LooseTaskPage = lazy(async () => ({ default: (await views.project()).LooseTaskPage }));
export const LaunchScreen = lazy(async () => ({ default: (await views.launch()).LaunchScreen }));
export const PairingScreen = lazy(async () => ({ default: (await views.pairing()).PairingScreen }));
export const Inbox = lazy(async () => ({ default: (await views.inbox()).Inbox }));
export const Settings = lazy(async () => ({ default: (await views.settings()).Settings }));
export const AgentPage = lazy(async () => ({ default: (await views.agent()).AgentPage }));
export const FirstRun = lazy(async () => ({ default: (await views.picker()).FirstRun }));
export const AddProject = lazy(async () => ({ default: (await views.picker()).AddProject }));

/**
 * Fetches the view of the present address at once, and the others when there is time: a daemon of a newer version no
 * longer has the files of this page, and a tab must go on without them.
 */
export function prefetchViews(): void {
  // The shell has words of its own only for a browser that is not paired.
  if (document.querySelector("#root main")) void views.pairing();
  else if (location.pathname === "/launch") void views.launch();
  else if (location.pathname === "/") void views.inbox();
  else if (location.pathname.includes("/t/")) void views.task();
  else if (/^\/(p\/|new)/.test(location.pathname)) void views.project();
  const later = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1_000));
  // One that cannot be fetched now is fetched, and its failure told, when it is opened.
  later(() => void Promise.allSettled(Object.values(views).map((load) => load())));
}
