import type { Agent } from "../../api/types";
import type { DraftStore } from "../../state/drafts";
import { OptionList } from "../agent/option-list";
import type { AgentOption } from "../agent/options";

interface Props {
  agent: Agent;
  options: readonly AgentOption[];
  draft: DraftStore;
}

/** The options that an agent will start with. What is chosen here goes with the first message. */
export function StartOptions({ agent, options, draft }: Props) {
  return (
    <OptionList
      options={options}
      pending={null}
      onSet={({ id }, value) => {
        const all = draft.get().options;
        draft.change({ options: { ...all, [agent.id]: { ...all[agent.id], [id]: value } } });
      }}
    />
  );
}
