/** The names by which a fence may ask for a language, by the one that knows it. */
const NAMES = {
  bash: "bash sh zsh shell console shellsession",
  c: "c h",
  cpp: "cpp c++ cc hpp cxx",
  csharp: "csharp cs c#",
  css: "css",
  diff: "diff patch",
  dockerfile: "dockerfile docker",
  go: "go golang",
  ini: "ini toml conf",
  java: "java",
  javascript: "javascript js jsx mjs cjs",
  json: "json jsonc json5 ndjson jsonl",
  kotlin: "kotlin kt kts",
  lua: "lua",
  makefile: "makefile make mk",
  markdown: "markdown md",
  php: "php",
  python: "python py py3",
  ruby: "ruby rb",
  rust: "rust rs",
  sql: "sql sqlite postgresql postgres mysql",
  swift: "swift",
  typescript: "typescript ts tsx mts cts",
  xml: "xml html xhtml svg vue",
  yaml: "yaml yml",
} as const;

export type LanguageName = keyof typeof NAMES;

const LANGUAGES = new Map(
  Object.entries(NAMES).flatMap(([language, names]) => names.split(" ").map((name) => [name, language as LanguageName] as const)),
);

/** The language that a fence names, or null where it is none that is coloured. */
export function languageNamed(name: string): LanguageName | null {
  return LANGUAGES.get(name.toLowerCase()) ?? null;
}
