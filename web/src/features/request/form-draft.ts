import type { Field, FieldValue } from "./elicitation";

export type FormValues = Readonly<Record<string, FieldValue>>;

/**
 * What stands in open forms, by request, so that a look at another task loses nothing. In this tab's memory only: what is
 * filled in goes to the agent and nowhere else.
 */
const drafts = new Map<string, FormValues>();

export function draftOf(request: string, fields: readonly Field[]): FormValues {
  return drafts.get(request) ?? Object.fromEntries(fields.map(({ name, initial }) => [name, initial]));
}

export const keepDraft = (request: string, values: FormValues): void => void drafts.set(request, values);
export const forgetDraft = (request: string): void => void drafts.delete(request);
