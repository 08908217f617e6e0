import { isRecord } from "../../api/problem";
import { isStrings, Stored } from "../../state/stored";
import type { Field, FieldValue } from "./elicitation";

export type FormValues = Readonly<Record<string, FieldValue>>;

/** So many forms are kept at most. Those that were withdrawn while nobody looked are forgotten as others come. */
const KEPT = 20;

/** What stands in open forms, by request, so that neither a look at another task nor a reload loses it. */
const kept = new Stored<Readonly<Record<string, FormValues>>>("forms", (stored) =>
  Object.fromEntries(Object.entries(isRecord(stored) ? stored : {}).flatMap(([request, values]) => (isRecord(values) ? [[request, readValues(values)]] : []))),
);

/** What may not be kept beyond this page: passwords, which go to the agent and nowhere else. */
const secrets = new Map<string, FormValues>();

const readValues = (values: Record<string, unknown>): FormValues =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, FieldValue] => isValue(entry[1])));

const isValue = (value: unknown): value is FieldValue => typeof value === "string" || typeof value === "boolean" || isStrings(value);

export function draftOf(request: string, fields: readonly Field[]): FormValues {
  const initial = Object.fromEntries(fields.map(({ name, initial: value }) => [name, value]));
  return { ...initial, ...kept.get()[request], ...secrets.get(request) };
}

export function keepDraft(request: string, fields: readonly Field[], values: FormValues): void {
  const hidden = new Set(fields.flatMap(({ name, kind }) => (kind.type === "text" && kind.secret ? [name] : [])));
  const part = (secret: boolean) => Object.fromEntries(Object.entries(values).filter(([name]) => hidden.has(name) === secret));
  secrets.set(request, part(true));
  const others = Object.entries(kept.get()).filter(([id]) => id !== request);
  kept.set(Object.fromEntries([...others, [request, part(false)] as const].slice(-KEPT)));
}

/** To be called once it was answered or withdrawn. */
export function forgetDraft(request: string): void {
  secrets.delete(request);
  const { [request]: gone, ...others } = kept.get();
  if (gone) kept.set(others);
}
