import { isRecord } from "../../api/problem";

export interface PermissionOption {
  id: string;
  name: string;
  kind: string;
}

/** A permission request, read from what the agent sent. Whatever is missing or odd stays visible as it came. */
export interface Permission {
  toolCallId: string | null;
  title: string;
  /** The command of the input, where it has one. */
  command: string | null;
  /** A plan that the agent would carry out if it may leave its planning, in markdown. */
  plan: string | null;
  /** What else the input says, beside the command and the plan. */
  input: unknown;
  content: unknown;
  locations: unknown;
  options: PermissionOption[];
}

/** The part of a known tool call that a request may leave out. */
interface KnownCall {
  title: string | null;
  kind?: string | null;
  raw_input: unknown;
  content: unknown;
  locations: unknown;
}

export function readPermission(payload: unknown, known?: KnownCall): Permission {
  const params = isRecord(payload) ? payload : {};
  const call = isRecord(params.toolCall) ? params.toolCall : {};
  const kind = typeof call.kind === "string" ? call.kind : known?.kind;
  const content = call.content ?? known?.content ?? null;
  const raw = call.rawInput ?? known?.raw_input;
  const plan = kind === "switch_mode" ? planOf(raw, content) : null;
  const { command, input } = splitInput(plan !== null && isRecord(raw) ? without(raw, "plan") : raw);
  const title = typeof call.title === "string" && call.title !== "" ? call.title : known?.title;
  return {
    toolCallId: typeof call.toolCallId === "string" ? call.toolCallId : null,
    title: title ?? (typeof params.message === "string" ? params.message : ""),
    command,
    plan,
    input,
    content: plan === null ? content : otherThan(content, plan),
    locations: call.locations ?? known?.locations ?? null,
    options: readOptions(params.options),
  };
}

/** The plan stands in the input, or, with agents that show it there, in the content. */
function planOf(raw: unknown, content: unknown): string | null {
  if (isRecord(raw) && typeof raw.plan === "string" && raw.plan.trim() !== "") return raw.plan;
  const texts = Array.isArray(content) ? content.map(textOf).filter((text) => text !== null) : [];
  return texts.length > 0 ? texts.join("\n\n") : null;
}

const textOf = (item: unknown): string | null =>
  isRecord(item) && item.type === "content" && isRecord(item.content) && item.content.type === "text" && typeof item.content.text === "string"
    ? item.content.text
    : null;

/** The content without what the plan shows already. */
function otherThan(content: unknown, plan: string): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter((item) => {
    const text = textOf(item);
    return text === null || !plan.includes(text);
  });
}

function without(input: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: _, ...rest } = input;
  return rest;
}

function splitInput(raw: unknown): { command: string | null; input: unknown } {
  if (!isRecord(raw)) return { command: null, input: raw ?? null };
  const { command, ...rest } = raw;
  const input = Object.keys(rest).length > 0 ? rest : null;
  if (typeof command === "string") return { command, input };
  // The borders between arguments matter: a list is shown as one.
  if (Array.isArray(command)) return { command: JSON.stringify(command), input };
  return { command: null, input: command === undefined ? input : raw };
}

function readOptions(options: unknown): PermissionOption[] {
  if (!Array.isArray(options)) return [];
  return options.filter(isRecord).flatMap(({ optionId, name, kind }) =>
    typeof optionId === "string"
      ? [{ id: optionId, name: typeof name === "string" ? name : optionId, kind: typeof kind === "string" ? kind : "" }]
      : [],
  );
}

/** The name of the option that an answer chose, or null where it chose none. */
export function chosenName(permission: Permission, answer: unknown): string | null {
  const id = isRecord(answer) ? answer.option_id : null;
  if (typeof id !== "string") return null;
  return permission.options.find((option) => option.id === id)?.name ?? id;
}
