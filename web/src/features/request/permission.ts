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
  /** What else the input says, beside the command. */
  input: unknown;
  content: unknown;
  locations: unknown;
  options: PermissionOption[];
}

/** The part of a known tool call that a request may leave out. */
interface KnownCall {
  title: string | null;
  raw_input: unknown;
  content: unknown;
  locations: unknown;
}

export function readPermission(payload: unknown, known?: KnownCall): Permission {
  const params = isRecord(payload) ? payload : {};
  const call = isRecord(params.toolCall) ? params.toolCall : {};
  const { command, input } = splitInput(call.rawInput ?? known?.raw_input);
  const title = typeof call.title === "string" && call.title !== "" ? call.title : known?.title;
  return {
    toolCallId: typeof call.toolCallId === "string" ? call.toolCallId : null,
    title: title ?? (typeof params.message === "string" ? params.message : ""),
    command,
    input,
    content: call.content ?? known?.content ?? null,
    locations: call.locations ?? known?.locations ?? null,
    options: readOptions(params.options),
  };
}

function splitInput(raw: unknown): { command: string | null; input: unknown } {
  if (!isRecord(raw)) return { command: null, input: raw ?? null };
  const { command, ...rest } = raw;
  const input = Object.keys(rest).length > 0 ? rest : null;
  if (typeof command === "string") return { command, input };
  // The borders between arguments matter: a list is shown as one.
  if (Array.isArray(command)) return { command: JSON.stringify(command), input };
  return { command: null, input: Object.keys(raw).length > 0 ? raw : null };
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
