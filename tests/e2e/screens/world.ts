import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Drover } from "../../../web/e2e/fixtures.ts";

/** A project of that name below the home. */
export async function projectOf(drover: Drover, name: string): Promise<string> {
  const path = join(drover.home, "work", name);
  mkdirSync(path, { recursive: true });
  return (await drover.api<{ id: string }>("POST", "/projects", { path })).id;
}

/** A task of that title whose agent has done as told. */
export async function taskOf(drover: Drover, project: string | null, title: string, directives: string[]): Promise<Task> {
  const { id, path } = await drover.task(project);
  await drover.api("PATCH", `/tasks/${id}`, { title });
  for (const each of directives) await drover.send(id, each);
  return { id, path };
}

export interface Task {
  id: string;
  path: string;
}

/** Resolves when the task is as wanted. */
export async function until(drover: Drover, task: Task, states: readonly string[]): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { state } = await drover.api<{ state: string }>("GET", `/tasks/${task.id}`);
    if (states.includes(state)) return;
    if (Date.now() > deadline) throw new Error(`task ${task.path} is ${state}, not ${states.join(" or ")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const chunk = (text: string): string => `!chunk ${JSON.stringify(text)}`;

const ANSWER = `The parser drops the last token when the input ends inside a string. I fixed that and added a test.

## What changed

1. \`next_token\` returns **UnterminatedString** with its place instead of *end of input*.
2. The recovery goes on behind the line's end:
   - so that one mistake is told once,
   - and the rest of the file is still checked.

| case | before | after |
| --- | --- | --- |
| \`"abc\` | end of input | unterminated string, 1:1 |
| \`"abc\\n x\` | end of input | unterminated string, then \`x\` |

\`\`\`rust
fn next_token(&mut self) -> Result<Token, LexError> {
    let start = self.position;
    match self.take_string() {
        Some(text) => Ok(Token::string(text)),
        None => Err(LexError::UnterminatedString { start }),
    }
}
\`\`\`

See [the language reference](https://doc.rust-lang.org/reference/tokens.html) for the rules.`;

export const RICH = ["!think The error points at the end of the file, so the lexer must have lost its place.", "!tool t1", "!diff", "!plan", chunk(ANSWER), "!usage"].join("\n");

/** What a hostile or careless agent sends: no blanks, hidden characters, other scripts, codes, markup. */
export const HOSTILE = [
  chunk(`${"x".repeat(600)}\n\n${"很长的一句话没有空格".repeat(40)}\n\n`),
  chunk("‮this runs backwards‬ and a\u200bzero\u200bwidth, مرحبا بالعالم, 🧑‍🧑‍🧒‍🧒🏳️‍🌈\n\n"),
  chunk("<script>alert(1)</script> <img src=x onerror=alert(1)> [click](javascript:alert(1)) ![far](https://example.com/a.png)\n\n"),
  chunk(`| a | b | c | d | e | f | g | h |\n|---|---|---|---|---|---|---|---|\n| ${"w".repeat(80)} | 2 | 3 | 4 | 5 | 6 | 7 | ${"w".repeat(80)} |\n\n`),
  chunk(`\`\`\`\n${"a very long line of code without an end ".repeat(20)}\n\`\`\`\n`),
  "!unknown",
  "!bigtool t9 40",
].join("\n");

const schema = {
  type: "object",
  required: ["strategy", "count"],
  properties: {
    strategy: {
      type: "string",
      title: "Strategy",
      description: "How to go about it",
      oneOf: [
        { const: "a", title: "Careful", description: "Step by step, asking in between" },
        { const: "b", title: "Quick" },
      ],
    },
    count: { type: "integer", title: "How many", minimum: 1, maximum: 5 },
    tags: { type: "array", title: "Tags", items: { type: "string", enum: ["tests", "documents"] } },
    note: { type: "string", title: "Note" },
    ok: { type: "boolean", title: "Overwrite what is there" },
  },
};

/** An agent that asks for a form to be filled in. */
export const FORM = `!text Two ways are open.\n!request 1 elicitation/create ${JSON.stringify({ sessionId: "$SID", message: "How shall I do it?", mode: "form", requestedSchema: schema })}\n!await 1`;

export const LONG_TITLE = `A title that goes on and on ${"without ever coming to a point ".repeat(8)}`.slice(0, 200).trim();
export const SOLID_TITLE = "W".repeat(150);
