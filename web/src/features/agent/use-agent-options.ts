import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { getAgentOptions } from "../../api/calls";
import type { Agent, Id, Link } from "../../api/types";
import type { ChosenValue } from "../../state/drafts";
import { type AgentOption, readOptions, wasStarted, withChosen } from "./options";

export interface AgentOffer {
  /** Whether the agent ever had a session in the task; else what follows is known from elsewhere. */
  started: boolean;
  options: readonly AgentOption[];
  /** The agent's commands, as it sent them. */
  commands: unknown;
}

interface Where {
  project: Id | null;
  /** What the task keeps for the agent; none for a task that is not there yet. */
  link: Link | undefined;
  /** Values chosen for an agent that has not been started. */
  chosen: Readonly<Record<string, ChosenValue>> | undefined;
}

/** An agent's options and commands: those of its session in the task, and before it has one, those that it would start with. */
export function useAgentOptions(agent: Agent | null, { project, link, chosen }: Where): AgentOffer {
  const id = agent?.id ?? "";
  const started = wasStarted(link);
  const { data: offer } = useQuery({
    queryKey: ["agent-options", id, project],
    queryFn: ({ signal }) => getAgentOptions(id, project, signal),
    enabled: !started && id !== "",
    // Values accepted in another task are what the next one starts with.
    refetchOnMount: "always",
  });
  const advertised = started ? link?.options : offer?.options;
  const options = useMemo(() => {
    const read = readOptions(advertised);
    return started ? read : withChosen(read, chosen ?? {});
  }, [advertised, started, chosen]);
  return { started, options, commands: started ? link?.commands : offer?.commands };
}
