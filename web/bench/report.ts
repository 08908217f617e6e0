import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { FullResult, Reporter, TestCase } from "@playwright/test/reporter";
import { type Figure, isOver, SHORT } from "./figures.ts";

const DOCUMENT = new URL("../../docs/performance.md", import.meta.url);
const HEADING = "\n## The page\n";

/** Prints the figures of all benches; fails where one is over its limit; writes them where `DROVER_BENCH_WRITE` asks for it. */
export default class FigureReporter implements Reporter {
  readonly #figures: Figure[] = [];

  onTestEnd(test: TestCase): void {
    for (const { type, description } of test.annotations) {
      if (type === "figure" && description) this.#figures.push(JSON.parse(description) as Figure);
    }
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult["status"] }> {
    const lines = this.#figures.map(({ what, value, limit, unit }) => `| ${what} | ${shown(value, unit)} | ${shown(limit, unit)} |`);
    const table = ["| what | measured | at most |", "| --- | --- | --- |", ...lines, ""].join("\n");
    process.stdout.write(`\n${table}\n`);
    const over = this.#figures.filter(isOver);
    for (const { what } of over) process.stderr.write(`over its limit: ${what}\n`);
    if (process.env.DROVER_BENCH_WRITE) write(table);
    return { status: over.length > 0 ? "failed" : result.status };
  }
}

function shown(value: number, unit: string): string {
  return `${Number.isInteger(value) ? value : value.toFixed(2)}${unit === "" ? "" : ` ${unit}`}`;
}

function write(table: string): void {
  const text = readFileSync(DOCUMENT, "utf8");
  const at = text.indexOf(HEADING);
  const before = (at === -1 ? text : text.slice(0, at)).trimEnd();
  const machine = `${cpus().length} cores of ${cpus()[0]?.model ?? "an unnamed processor"}`;
  const lead = `Measured in Chromium on the real binary by \`npm --prefix web run bench -- --write\`. \`./test.sh bench\` runs the short form${SHORT ? ", as here" : ""}: there counts and ratios have to hold, times and memory within three times the limit, the second ratio within 1.4 times. A chat is there when the browser has painted the text of its newest message (Element Timing); the page without a chat, when it has painted its frame and the settings in it (its first contentful paint). Both are React's, on the same clock.`;
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(DOCUMENT, `${before}\n${HEADING}\n${lead}\n\n${day}, on ${machine}:\n\n${table}`);
}
