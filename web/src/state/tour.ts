import type { Agent } from "../api/types";

/** The id of the agent that is built in. */
export const TOUR = "tour";

/** Whether Tour is ready and no other agent is. */
export function onlyTour(agents: ReadonlyMap<string, Agent>): boolean {
  const ready = [...agents.values()].filter((agent) => agent.state === "ready");
  return ready.length === 1 && ready[0]?.id === TOUR;
}
