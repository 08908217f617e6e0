import { isRecord } from "../../api/problem";
import type { Agent, Link } from "../../api/types";
import type { ChosenValue } from "../../state/drafts";

type Unasked = Agent["unasked"][string];

export interface OptionValue {
  value: string;
  name: string;
  note: string | undefined;
}

interface Named {
  id: string;
  name: string;
  /** The agent's own word for what kind of choice it is; null where it gives none. */
  category: string | null;
}

export type SelectOption = Named & {
  kind: "select";
  current: string | null;
  groups: { label: string | null; values: OptionValue[] }[];
};

/** A session option of an agent, read from what it advertised. Nothing in it is interpreted. */
export type AgentOption = SelectOption | (Named & { kind: "boolean"; current: boolean }) | (Named & { kind: "unknown" });

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The options in the agent's order. Those of a kind that this version does not know are kept, as such. */
export function readOptions(advertised: unknown): AgentOption[] {
  if (!Array.isArray(advertised)) return [];
  return advertised.flatMap((raw: unknown): AgentOption[] => {
    if (!isRecord(raw) || text(raw.id) === undefined) return [];
    const id = raw.id as string;
    const named = { id, name: text(raw.name) ?? id, category: text(raw.category) ?? null };
    if (raw.type === "boolean") return [{ ...named, kind: "boolean", current: raw.currentValue === true }];
    if ((raw.type === "select" || raw.type === undefined) && Array.isArray(raw.options)) {
      return [{ ...named, kind: "select", current: text(raw.currentValue) ?? null, groups: readGroups(raw.options) }];
    }
    return [{ ...named, kind: "unknown" }];
  });
}

/** Options come flat, or in groups with a name. */
function readGroups(options: unknown[]): SelectOption["groups"] {
  const groups: SelectOption["groups"] = [];
  let loose: { label: null; values: OptionValue[] } | null = null;
  for (const each of options.filter(isRecord)) {
    if (Array.isArray(each.options)) {
      loose = null;
      groups.push({ label: text(each.name) ?? text(each.group) ?? null, values: each.options.flatMap(readValue) });
    } else {
      if (!loose) groups.push((loose = { label: null, values: [] }));
      loose.values.push(...readValue(each));
    }
  }
  return groups;
}

function readValue(raw: unknown): OptionValue[] {
  if (!isRecord(raw) || typeof raw.value !== "string") return [];
  return [{ value: raw.value, name: text(raw.name) ?? raw.value, note: text(raw.description) }];
}

/** The name of an option's present value, or of another one. */
export function currentName(option: SelectOption, value: string | null = option.current): string | null {
  for (const group of option.groups) {
    const found = group.values.find((each) => each.value === value);
    if (found) return found.name;
  }
  return value;
}

/** The options with values that were chosen before the agent has started; what it does not offer is left out. */
export function withChosen(options: readonly AgentOption[], chosen: Readonly<Record<string, ChosenValue>>): AgentOption[] {
  return options.map((option) => {
    const value = chosen[option.id];
    if (option.kind === "boolean" && typeof value === "boolean") return { ...option, current: value };
    const offered = option.kind === "select" && option.groups.some(({ values }) => values.some((each) => each.value === value));
    return offered && typeof value === "string" ? { ...option, current: value } : option;
  });
}

/** Whether an agent ever had a session in a task, or is getting one. Before that its options are only known from elsewhere. */
export function wasStarted(link: Link | undefined): boolean {
  if (!link) return false;
  const lives = link.state === "starting" || link.state === "ready" || link.state === "busy";
  return lives || link.has_session || readOptions(link.options).length > 0;
}

/** What an agent does without asking in the mode it is in; null where it asks, or where nobody knows. */
export function actsUnasked(agent: Agent, options: readonly AgentOption[]): Unasked | null {
  if (agent.never_asks) return "everything";
  const mode = options.find(({ category, id }) => category === "mode" || (category === null && id === "mode"));
  return mode?.kind === "select" && mode.current !== null ? (agent.unasked[mode.current] ?? null) : null;
}
