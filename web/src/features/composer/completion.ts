import { isRecord } from "../../api/problem";

/** Something that is being typed and can be completed: a file after `@`, or an agent's command after `/`. */
export interface Trigger {
  kind: "file" | "command";
  /** What was typed after the sign. */
  query: string;
  /** Where the sign stands. */
  start: number;
  /** Where the caret stands. */
  end: number;
}

/** A command of an agent, as it told of it. */
export interface AgentCommand {
  name: string;
  description: string;
  /** What it wants to have after its name, in the agent's words. */
  hint: string | null;
}

/** A message begins with its command. */
const COMMAND = /^\/(\S*)$/;
/** A mention stands by itself: the sign in the middle of a word or an address is none. Chinese has no blanks to stand between. */
const FILE = /(?:^|[^\w.@/-])@([^\s@]*)$/;

/** What the text before the caret asks to complete. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  const command = COMMAND.exec(before)?.[1];
  if (command !== undefined) return { kind: "command", query: command, start: 0, end: caret };
  const file = FILE.exec(before)?.[1];
  if (file !== undefined) return { kind: "file", query: file, start: caret - file.length - 1, end: caret };
  return null;
}

/** The text with a choice in the place of what was typed, and where the caret goes. */
export function complete(text: string, trigger: Trigger, choice: string): { text: string; caret: number } {
  const sign = trigger.kind === "file" ? "@" : "/";
  const after = text.slice(trigger.end);
  const inserted = `${sign}${choice}${after.startsWith(" ") ? "" : " "}`;
  return { text: text.slice(0, trigger.start) + inserted + after, caret: trigger.start + sign.length + choice.length + 1 };
}

/** The commands in the agent's order. What has no name is none. */
export function readCommands(advertised: unknown): AgentCommand[] {
  if (!Array.isArray(advertised)) return [];
  return advertised.flatMap((raw: unknown): AgentCommand[] => {
    if (!isRecord(raw) || typeof raw.name !== "string" || raw.name === "") return [];
    const hint = isRecord(raw.input) && typeof raw.input.hint === "string" ? raw.input.hint : null;
    return [{ name: raw.name, description: typeof raw.description === "string" ? raw.description : "", hint }];
  });
}

/** Those whose name has the letters: first those that begin with them, each group in the agent's order. */
export function matching(commands: readonly AgentCommand[], query: string): AgentCommand[] {
  const wanted = query.toLowerCase();
  const begins = commands.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const holds = commands.filter(({ name }) => !name.toLowerCase().startsWith(wanted) && name.toLowerCase().includes(wanted));
  return [...begins, ...holds];
}

/** The hint of the command that a text consists of so far: nothing follows it yet. */
export function hintFor(commands: readonly AgentCommand[], text: string): string | null {
  const name = /^\/(\S+) ?$/.exec(text)?.[1];
  return commands.find((command) => command.name === name)?.hint ?? null;
}
