import type { Agent } from "../../api/types";

export const agentPath = (agent: string): string => `/settings/agents/${encodeURIComponent(agent)}`;

/** Whether it is not there and its page can get it with a click. */
export const canBeInstalled = ({ state, install }: Agent): boolean =>
  state === "not_installed" && install !== null && install.running === null && install.blocked === null;
