/** What an agent can say that it can do, in the order in which it is told. */
const ABLE = {
  load: ["agentCapabilities", "loadSession"],
  resume: ["agentCapabilities", "sessionCapabilities", "resume"],
  list: ["agentCapabilities", "sessionCapabilities", "list"],
  fork: ["agentCapabilities", "sessionCapabilities", "fork"],
  image: ["agentCapabilities", "promptCapabilities", "image"],
  audio: ["agentCapabilities", "promptCapabilities", "audio"],
  embedded: ["agentCapabilities", "promptCapabilities", "embeddedContext"],
  mcp: ["agentCapabilities", "mcpCapabilities", "http"],
} as const;

export type Able = keyof typeof ABLE;

/** What the answer to `initialize` names; null where there is none yet. A flag is `true`, a marker any object. */
export function advertised(answer: unknown): Able[] | null {
  if (!isRecord(answer)) return null;
  return (Object.keys(ABLE) as Able[]).filter((each) => {
    const found = ABLE[each].reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), answer);
    return found === true || isRecord(found);
  });
}

/** The names of the ways to log in. */
export function loginsOf(answer: unknown): string[] {
  if (!isRecord(answer) || !Array.isArray(answer.authMethods)) return [];
  return answer.authMethods.flatMap((method: unknown) => {
    if (!isRecord(method)) return [];
    const name = method.name ?? method.id;
    return typeof name === "string" ? [name] : [];
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
