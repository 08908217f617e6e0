import { isRecord } from "../../api/problem";
import type { Agent } from "../../api/types";

type Unasked = Agent["unasked"][string];

export interface OptionValue {
  value: string;
  name: string;
  note: string | undefined;
}

/** A session option of an agent, read from what it advertised. Nothing in it is interpreted. */
export type AgentOption =
  | { id: string; name: string; kind: "select"; current: string | null; groups: { label: string | null; values: OptionValue[] }[] }
  | { id: string; name: string; kind: "boolean"; current: boolean }
  | { id: string; name: string; kind: "unknown" };

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The options in the agent's order. Those of a kind that this version does not know are kept, as such. */
export function readOptions(advertised: unknown): AgentOption[] {
  if (!Array.isArray(advertised)) return [];
  return advertised.flatMap((raw: unknown): AgentOption[] => {
    if (!isRecord(raw) || text(raw.id) === undefined) return [];
    const id = raw.id as string;
    const name = text(raw.name) ?? id;
    if (raw.type === "boolean") return [{ id, name, kind: "boolean", current: raw.currentValue === true }];
    if ((raw.type === "select" || raw.type === undefined) && Array.isArray(raw.options)) {
      return [{ id, name, kind: "select", current: text(raw.currentValue) ?? null, groups: readGroups(raw.options) }];
    }
    return [{ id, name, kind: "unknown" }];
  });
}

/** Options come flat, or in groups with a name. */
function readGroups(options: unknown[]): { label: string | null; values: OptionValue[] }[] {
  const groups: { label: string | null; values: OptionValue[] }[] = [];
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

/** The name of an option's present value. */
export function currentName(option: Extract<AgentOption, { kind: "select" }>): string | null {
  for (const group of option.groups) {
    const found = group.values.find(({ value }) => value === option.current);
    if (found) return found.name;
  }
  return option.current;
}

/** What an agent does without asking in the mode it is in; null where it asks, or where nobody knows. */
export function actsUnasked(agent: Agent, options: unknown): Unasked | null {
  if (agent.never_asks) return "everything";
  if (!Array.isArray(options)) return null;
  for (const raw of options.filter(isRecord)) {
    const isMode = raw.category === "mode" || (raw.category === undefined && raw.id === "mode");
    if (isMode && typeof raw.currentValue === "string") return agent.unasked[raw.currentValue] ?? null;
  }
  return null;
}
