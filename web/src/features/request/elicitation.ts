import { isRecord } from "../../api/problem";

export interface Choice {
  value: string;
  title: string;
  description: string;
}

/** What a field takes. `unknown`: a type that this version does not know; such a field is named and never drawn as another. */
export type FieldKind =
  | { type: "text"; min: number | null; max: number | null; format: string | null; pattern: string | null; secret: boolean }
  | { type: "choice"; choices: Choice[] }
  | { type: "many"; choices: Choice[]; min: number | null; max: number | null }
  | { type: "number"; whole: boolean; min: number | null; max: number | null }
  | { type: "boolean" }
  | { type: "unknown"; schema: unknown };

export interface Field {
  name: string;
  title: string;
  description: string;
  required: boolean;
  kind: FieldKind;
  initial: FieldValue;
}

/** What stands in a field: text as it was typed, the values that were chosen, or yes and no. */
export type FieldValue = string | string[] | boolean;

export type Elicitation =
  | { mode: "form"; message: string; fields: Field[] }
  | { mode: "url"; message: string; url: string; id: string | null }
  | { mode: "unknown"; message: string };

/** Reads what an agent asks for. Whatever is missing or odd stays as it came. */
export function readElicitation(payload: unknown): Elicitation {
  const params = isRecord(payload) ? payload : {};
  const message = text(params.message);
  const schema = isRecord(params.requestedSchema) ? params.requestedSchema : null;
  const mode = typeof params.mode === "string" ? params.mode : schema ? "form" : "";
  if (mode === "form" && schema) return { mode: "form", message, fields: readFields(schema) };
  if (mode === "url" && typeof params.url === "string") {
    return { mode: "url", message, url: params.url, id: typeof params.elicitationId === "string" ? params.elicitationId : null };
  }
  return { mode: "unknown", message };
}

function readFields(schema: Record<string, unknown>): Field[] {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.filter((name): name is string => typeof name === "string") : [];
  // Required, but described nowhere: nobody can know what to fill in.
  const names = new Set([...Object.keys(properties), ...required]);
  return [...names].map((name) => {
    const property = isRecord(properties[name]) ? properties[name] : {};
    const kind = readKind(property, properties[name]);
    return {
      name,
      title: text(property.title) || name,
      description: text(property.description),
      required: required.includes(name),
      kind,
      initial: initialOf(kind, property.default),
    };
  });
}

function readKind(property: Record<string, unknown>, raw: unknown): FieldKind {
  const bound = (name: string) => (typeof property[name] === "number" ? property[name] : null);
  switch (property.type) {
    case "string": {
      const choices = readChoices(property, "oneOf");
      if (choices) return { type: "choice", choices };
      const format = typeof property.format === "string" ? property.format : null;
      // Only shown: an agent's expression is not run in the page, which it could bring to a halt. The daemon checks it.
      const pattern = typeof property.pattern === "string" ? property.pattern : null;
      return { type: "text", min: bound("minLength"), max: bound("maxLength"), format, pattern, secret: isSecret(property) };
    }
    case "number":
    case "integer":
      return { type: "number", whole: property.type === "integer", min: bound("minimum"), max: bound("maximum") };
    case "boolean":
      return { type: "boolean" };
    case "array": {
      const choices = isRecord(property.items) ? readChoices(property.items, "anyOf") : null;
      if (choices) return { type: "many", choices, min: bound("minItems"), max: bound("maxItems") };
      break;
    }
  }
  return { type: "unknown", schema: raw ?? null };
}

function readChoices(of: Record<string, unknown>, titled: "oneOf" | "anyOf"): Choice[] | null {
  const entries = Array.isArray(of.enum) ? of.enum : Array.isArray(of[titled]) ? of[titled] : null;
  if (!entries) return null;
  return entries.flatMap((entry: unknown) => {
    if (typeof entry === "string") return [{ value: entry, title: entry, description: "" }];
    if (!isRecord(entry) || typeof entry.const !== "string") return [];
    return [{ value: entry.const, title: text(entry.title) || entry.const, description: text(entry.description) }];
  });
}

function isSecret(property: Record<string, unknown>): boolean {
  const { _meta: meta } = property;
  return isRecord(meta) && isRecord(meta.codex) && meta.codex.isSecret === true;
}

function initialOf(kind: FieldKind, preset: unknown): FieldValue {
  switch (kind.type) {
    case "boolean":
      return preset === true;
    case "many":
      return Array.isArray(preset) ? kind.choices.map(({ value }) => value).filter((value) => preset.includes(value)) : [];
    case "choice":
      return kind.choices.some(({ value }) => value === preset) ? text(preset) : "";
    case "number":
      return typeof preset === "number" ? String(preset) : "";
    case "text":
      return kind.format === "date-time" ? localTime(text(preset)) : text(preset);
    case "unknown":
      return "";
  }
}

/** Whether a form can be sent from here at all: not where it requires what this version cannot draw. */
export const canFill = (fields: readonly Field[]): boolean => !fields.some(({ kind, required }) => required && kind.type === "unknown");

export type FieldProblem =
  | { key: "required" | "number" | "whole" | "choice" | "email" | "uri" | "date" }
  | { key: "min" | "max" | "minLength" | "maxLength" | "minItems" | "maxItems"; limit: number };

/** What a field contributes to the answer, and what is wrong with it. Empty fields that need not be there are left out. */
export function contentOf(field: Field, value: FieldValue): { value?: unknown; problem?: FieldProblem } {
  const { kind, required } = field;
  if (kind.type === "unknown") return required ? { problem: { key: "required" } } : {};
  if (kind.type === "boolean") return { value: value === true };
  if (kind.type === "many") return manyOf(kind, Array.isArray(value) ? value : [], required);
  const typed = typeof value === "string" ? value : "";
  if (typed.trim() === "" && (kind.type !== "text" || typed === "")) return required ? { problem: { key: "required" } } : {};
  if (kind.type === "number") return numberOf(kind, typed.trim());
  if (kind.type === "choice") {
    return kind.choices.some((choice) => choice.value === typed) ? { value: typed } : { problem: { key: "choice" } };
  }
  return textOf(kind, typed);
}

function textOf(kind: Extract<FieldKind, { type: "text" }>, typed: string): { value?: string; problem?: FieldProblem } {
  const value = kind.format === "date-time" && /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(typed) ? new Date(typed).toISOString() : typed;
  // Characters, not the halves that JavaScript counts.
  const problem = outside([...value].length, kind.min, kind.max, "minLength", "maxLength") ?? formatProblem(kind.format, value);
  return problem ? { problem } : { value };
}

function formatProblem(format: string | null, value: string): FieldProblem | undefined {
  if (format === "email" && !/^[^\s]+@[^\s@]+$/.test(value)) return { key: "email" };
  if (format === "uri" && !URL.canParse(value)) return { key: "uri" };
  if (format === "date" && !/^\d{4}-\d\d-\d\d$/.test(value)) return { key: "date" };
  return undefined;
}

/** A point in time as a field for local time takes it; empty where it is none. */
function localTime(value: string): string {
  const at = new Date(value);
  if (value === "" || Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function manyOf(kind: Extract<FieldKind, { type: "many" }>, chosen: string[], required: boolean) {
  if (chosen.length === 0 && !required) return {};
  const problem = outside(chosen.length, kind.min, kind.max, "minItems", "maxItems");
  return problem ? { problem } : { value: chosen };
}

function numberOf(kind: Extract<FieldKind, { type: "number" }>, typed: string): { value?: number; problem?: FieldProblem } {
  const value = Number(typed);
  if (!Number.isFinite(value)) return { problem: { key: "number" } };
  if (kind.whole && !Number.isInteger(value)) return { problem: { key: "whole" } };
  const problem = outside(value, kind.min, kind.max, "min", "max");
  return problem ? { problem } : { value };
}

function outside<Low extends FieldProblem["key"], High extends FieldProblem["key"]>(
  count: number,
  min: number | null,
  max: number | null,
  low: Low & ("min" | "minLength" | "minItems"),
  high: High & ("max" | "maxLength" | "maxItems"),
): FieldProblem | undefined {
  if (min !== null && count < min) return { key: low, limit: min };
  if (max !== null && count > max) return { key: high, limit: max };
  return undefined;
}

/** An address taken apart, so that its host can be told from what only looks like one. */
export interface Address {
  /** The parts, in order; together they are exactly the address that was sent. */
  before: string;
  host: string;
  after: string;
  /** Only pages of the web are opened. */
  opens: boolean;
  /** The host is written in other letters than it seems: how it is really spelled. */
  punycode: string | null;
  /** There is a name before an `@`, which is not the host. */
  userInfo: boolean;
}

export function readAddress(url: string): Address {
  const whole = { before: url, host: "", after: "", opens: false, punycode: null, userInfo: false };
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return whole;
  }
  // A browser forgives blanks and backslashes; an address that needs that is shown and not opened.
  const shape = /^(https?:\/\/)([^/?#\\\s]*)([^\s]*)$/i.exec(url);
  if (!shape || parsed.hostname === "") return whole;
  const [, scheme = "", authority = "", after = ""] = shape;
  const at = authority.lastIndexOf("@") + 1;
  const punycode = parsed.hostname.split(".").some((label) => label.startsWith("xn--")) ? parsed.hostname : null;
  return { before: scheme + authority.slice(0, at), host: authority.slice(at), after, opens: true, punycode, userInfo: at > 0 };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
