import { expect, test } from "vitest";
import { parseSync } from "vite";

const SPOKEN: ReadonlySet<string> = new Set(["aria-label", "aria-description", "aria-roledescription", "title", "placeholder", "alt", "label", "lead", "hint"]);

interface Node {
  type: string;
  [member: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && typeof (value as Node).type === "string";

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) walk(each, visit);
  }
}

/** A word of a language, not a sign, a number or a name such as Drover's own commands, which stand in `code` and `kbd`. */
const isWord = (text: string): boolean => /\p{L}{2,}/u.test(text);

function literalsOf(file: string, code: string): string[] {
  const found: string[] = [];
  const { program } = parseSync(file, code);
  walk(program as unknown as Node, (node) => {
    if (node.type === "JSXElement") {
      const opening = node.openingElement as { name: { name?: unknown } };
      const quoted = opening.name.name === "code" || opening.name.name === "kbd";
      for (const child of node.children as Node[]) {
        if (!quoted && child.type === "JSXText" && isWord(String(child.value))) found.push(String(child.value).trim());
      }
    }
    if (node.type !== "JSXAttribute") return;
    const { name, value } = node as unknown as { name: { name?: unknown }; value: Node | null };
    if (SPOKEN.has(String(name.name)) && value?.type === "Literal" && isWord(String(value.value))) found.push(`${name.name}="${value.value}"`);
  });
  return found;
}

test("no literal text stands in a component: words come from the catalogues", () => {
  const files: Record<string, string> = import.meta.glob(["../**/*.tsx", "!../**/*.test.tsx", "!../testing/**"], { query: "?raw", import: "default", eager: true });
  expect(Object.keys(files).length).toBeGreaterThan(50);
  const found = Object.entries(files).flatMap(([file, code]) => literalsOf(file, code).map((text) => `${file}: ${text}`));
  expect(found).toEqual([]);
});

test("the search for literal text finds some", () => {
  const code = 'export const X = () => <p title="Hello there">Some words <code>drover open</code> · 3 {t("a.b")}</p>;';
  expect(literalsOf("x.tsx", code)).toEqual(["Some words", 'title="Hello there"']);
});
