import { defineConfig } from "@playwright/test";
import journeys from "../e2e/playwright.config.ts";

/** The page's figures, in Chromium on the real binary. `DROVER_BIN` as for the journeys, with `bench` beside it. */
export default defineConfig({
  ...journeys,
  testDir: ".",
  testMatch: "*.bench.ts",
  outputDir: "../../test-results/bench",
  timeout: 240_000,
  reporter: [["list"], ["./report.ts"]],
});
