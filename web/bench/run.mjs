// npm run bench [-- --short] [-- --write]: the page's benchmark, on the binary that DROVER_BIN names.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const args = process.argv.slice(2);
const unknown = args.find((arg) => !["--short", "--write"].includes(arg));
if (unknown) {
  console.error(`unknown argument ${unknown}; known are --short and --write`);
  process.exit(1);
}
const env = {
  ...process.env,
  ...(args.includes("--short") && { DROVER_BENCH: "short" }),
  ...(args.includes("--write") && { DROVER_BENCH_WRITE: "1" }),
};
const config = fileURLToPath(new URL("playwright.config.ts", import.meta.url));
const { status } = spawnSync("npx", ["playwright", "test", "--config", config], { env, stdio: "inherit" });
process.exit(status ?? 1);
