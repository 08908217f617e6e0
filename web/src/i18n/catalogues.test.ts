import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { descriptions, problems } from "./daemon.zh";
import { en } from "./en";
import { zh } from "./zh";

type Tree = { readonly [key: string]: string | Tree };

function leaves(tree: Tree, path = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : leaves(value, `${path}${key}.`),
  );
}

const placeholders = (text: string) => [...text.matchAll(/{{\s*(\w+)/g)].map((match) => match[1]).toSorted();

test("the catalogues have the same keys", () => {
  expect(leaves(zh).map(([key]) => key)).toEqual(leaves(en).map(([key]) => key));
});

test("the catalogues fill the same placeholders", () => {
  const chinese = new Map(leaves(zh));
  for (const [key, text] of leaves(en)) {
    expect(placeholders(chinese.get(key) ?? ""), key).toEqual(placeholders(text));
  }
});

test("every key is used by the page", () => {
  const files: Record<string, string> = import.meta.glob(["../**/*.{ts,tsx}", "!./*"], { query: "?raw", import: "default", eager: true });
  const source = Object.values(files).join("\n");
  const used = (key: string) => {
    const base = key.replace(/_(one|other)$/, "");
    // A family of keys is written with the end left open: t(`state.${state}`).
    const family = `\`${base.slice(0, base.lastIndexOf("."))}.\${`;
    return source.includes(`"${base}"`) || source.includes(family);
  };
  expect(leaves(en).map(([key]) => key).filter((key) => !used(key))).toEqual([]);
});

test("no text is empty and none ends in a blank", () => {
  for (const [key, text] of [...leaves(en), ...leaves(zh)]) {
    expect(text, key).not.toBe("");
    expect(text, key).toBe(text.trim());
  }
});

const repository = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("every kind of problem and every built-in agent has Chinese words", () => {
  const slugs = [...repository("docs/problems.md").matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1]);
  expect(slugs.length).toBeGreaterThan(20);
  expect(Object.keys(problems).toSorted()).toEqual(slugs.toSorted());
  const agents = [...repository("crates/supervisor/data/agents.toml").matchAll(/^id = "(.*)"/gm)].map((match) => match[1]);
  expect(agents.length).toBeGreaterThan(5);
  expect(Object.keys(descriptions).toSorted()).toEqual([...agents, "tour"].toSorted());
});
