import { isRecord } from "../../api/problem";
import type { ToolCallPart } from "../../api/types";
import { asBlob } from "./value";

/** What a command was and how it went, as far as its call tells. */
export interface Outcome {
  command: string | null;
  /** Text, or a value of which one is stored elsewhere. Null where the call's content says it already. */
  output: unknown;
  exitCode: number | null;
}

/** The names under which agents put what a command wrote. */
const OUTPUTS = ["output", "formatted_output", "aggregated_output", "stdout"] as const;

const isText = (value: unknown): boolean => typeof value === "string" || asBlob(value) !== null;

/** Reads a call of the kind `execute`. Null where it has none of what a command has. */
export function outcomeOf({ raw_input: input, raw_output: raw, content }: ToolCallPart): Outcome | null {
  const command = commandOf(input);
  const exit = isRecord(raw) ? (raw.exit_code ?? (isRecord(raw.exit) ? raw.exit.exit_code : undefined)) : undefined;
  const exitCode = typeof exit === "number" ? exit : null;
  const found = isText(raw) ? raw : isRecord(raw) ? OUTPUTS.map((name) => raw[name]).find(isText) : undefined;
  const isSaid = Array.isArray(content) && content.some((item) => isRecord(item) && item.type === "content");
  if (command === null && found === undefined && exitCode === null) return null;
  return { command, output: isSaid ? null : (found ?? null), exitCode };
}

function commandOf(input: unknown): string | null {
  const command = isRecord(input) ? (input.command ?? input.cmd) : null;
  if (typeof command === "string") return command;
  return Array.isArray(command) && command.every((word) => typeof word === "string") ? command.join(" ") : null;
}
