import { describe, expect, test } from "vitest";
import { canFill, contentOf, type Field, type FieldValue, readAddress, readElicitation } from "./elicitation";

const form = (properties: unknown, required: unknown = []) =>
  readElicitation({ mode: "form", message: "How?", requestedSchema: { type: "object", properties, required } });

function fieldsOf(properties: unknown, required: unknown = []): Field[] {
  const read = form(properties, required);
  if (read.mode !== "form") throw new Error("no form");
  return read.fields;
}

/** The answer that a form gives, with values by name where they differ from the defaults. */
function filled(fields: Field[], values: Record<string, FieldValue> = {}) {
  const content: Record<string, unknown> = {};
  const problems: Record<string, unknown> = {};
  for (const field of fields) {
    const { value, problem } = contentOf(field, values[field.name] ?? field.initial);
    if (problem) problems[field.name] = problem;
    else if (value !== undefined) content[field.name] = value;
  }
  return { content, problems };
}

const STRATEGY = {
  strategy: { type: "string", enum: ["a", "b", "c"], default: "b" },
  count: { type: "integer", minimum: 1, maximum: 5 },
  note: { type: "string", maxLength: 5 },
  ok: { type: "boolean", default: false },
};

describe("a form", () => {
  test("gives typed values, its defaults, and leaves out what is empty", () => {
    const fields = fieldsOf(STRATEGY, ["strategy", "count"]);
    expect(filled(fields, { count: "3", note: "" })).toEqual({ content: { strategy: "b", count: 3, ok: false }, problems: {} });
    expect(filled(fields, { count: "9", note: "too long" }).problems).toEqual({
      count: { key: "max", limit: 5 },
      note: { key: "maxLength", limit: 5 },
    });
    expect(filled(fields).problems).toEqual({ count: { key: "required" } });
  });

  test.each([
    ["2.5", { key: "whole" }],
    ["abc", { key: "number" }],
    ["0", { key: "min", limit: 1 }],
    ["Infinity", { key: "number" }],
  ])("does not take %s for a whole number from 1 to 5", (typed, problem) => {
    expect(filled(fieldsOf(STRATEGY), { count: typed }).problems.count).toEqual(problem);
  });

  test("counts characters as people do", () => {
    const fields = fieldsOf({ name: { type: "string", minLength: 2, maxLength: 2 } });
    expect(filled(fields, { name: "😀😀" }).content).toEqual({ name: "😀😀" });
    expect(filled(fields, { name: "😀" }).problems).toEqual({ name: { key: "minLength", limit: 2 } });
  });

  test("reads lists of titled values, one or several of them", () => {
    const fields = fieldsOf({
      colour: { type: "string", title: "Colour", oneOf: [{ const: "r", title: "Red", description: "A warm one" }, { const: "b" }, 7] },
      many: { type: "array", items: { anyOf: [{ const: "x", title: "X" }, { const: "y" }] }, default: ["y", "z"], minItems: 1 },
    });
    expect(fields[0]).toMatchObject({
      title: "Colour",
      kind: { choices: [{ value: "r", title: "Red", description: "A warm one" }, { value: "b", title: "b" }] },
    });
    expect(filled(fields).content).toEqual({ many: ["y"] });
    expect(filled(fields, { many: [] }).content).toEqual({});
    expect(filled(fields, { colour: "Red" }).problems).toEqual({ colour: { key: "choice" } });
  });

  test("names a field of an unknown type and never draws it as another; one that is required cannot be filled in", () => {
    const nested = { where: { type: "object", properties: { x: { type: "number" } } }, name: { type: "string" } };
    const fields = fieldsOf(nested);
    expect(fields[0]?.kind.type).toBe("unknown");
    expect([canFill(fields), canFill(fieldsOf(nested, ["where"])), canFill(fieldsOf({}, ["ghost"]))]).toEqual([true, false, false]);
    expect(filled(fields, { name: "n" })).toEqual({ content: { name: "n" }, problems: {} });
  });

  test("checks the formats it knows, and sends a local time with its zone", () => {
    const fields = fieldsOf({
      mail: { type: "string", format: "email" },
      page: { type: "string", format: "uri" },
      day: { type: "string", format: "date" },
      at: { type: "string", format: "date-time", default: "2026-11-30T12:00:00Z" },
      odd: { type: "string", format: "of 2031" },
    });
    const good = { mail: "a@b", page: "https://x.example", day: "2026-11-30", odd: "anything" };
    expect(filled(fields, good).content).toEqual({ ...good, at: "2026-11-30T12:00:00.000Z" });
    expect(filled(fields, { mail: "a b@c", page: "x.example", day: "1.2.2026" }).problems).toEqual({
      mail: { key: "email" },
      page: { key: "uri" },
      day: { key: "date" },
    });
  });

  test("marks what Codex calls a secret", () => {
    const [field] = fieldsOf({ token: { type: "string", _meta: { codex: { isSecret: true } } } });
    expect(field?.kind).toMatchObject({ type: "text", secret: true });
  });

  test.each([null, 7, { mode: "future" }, { mode: "form" }, { mode: "url" }, { requestedSchema: [] }])("survives %j", (odd) => {
    expect(readElicitation(odd).mode).toBe("unknown");
  });

  test.each([{ properties: null }, { properties: [1], required: "all" }, { properties: { a: null }, required: [3] }])("survives %j", (schema) => {
    expect(readElicitation({ requestedSchema: schema }).mode).toBe("form");
  });
});

describe("an address", () => {
  test("is shown whole, its host apart", () => {
    expect(readAddress("https://login.example:8443/a?next=https://bank.example#x")).toEqual({
      before: "https://",
      host: "login.example:8443",
      after: "/a?next=https://bank.example#x",
      opens: true,
      punycode: null,
      userInfo: false,
    });
  });

  test("with a name before an @ says so, and the host is the real one", () => {
    expect(readAddress("https://bank.example@evil.example/")).toMatchObject({ before: "https://bank.example@", host: "evil.example", userInfo: true });
    expect(readAddress("https://bank.example:443@a@evil.example")).toMatchObject({ host: "evil.example", userInfo: true });
  });

  test.each(["https://xn--pple-43d.com/", "https://аpple.com/"])("in other letters than it seems is spelled out: %s", (url) => {
    expect(readAddress(url).punycode).toBe("xn--pple-43d.com");
  });

  test.each(["javascript:pwn()", "data:text/html,x", "file:///etc/passwd", "bank.example", "//bank.example", "https:\\\\evil.example", " https://x.example", "https:evil.example", "https://x.example/a b"])(
    "that is no whole address of the web is not opened: %s",
    (url) => {
      const address = readAddress(url);
      expect([address.opens, address.before + address.host + address.after]).toEqual([false, url]);
    },
  );
});
