import type { Agent } from "../../api/types";
import { daemonWords } from "../../i18n";

/** What an agent is, in a sentence: of the built-in ones in the reader's language, of others in their own words. */
export function describe(agent: Agent, language: string): string | null {
  const known = agent.source === "builtin" ? daemonWords(language, "descriptions", agent.id) : null;
  return known ?? agent.description;
}
