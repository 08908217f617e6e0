import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config.ts";

/** Pictures of every screen for people to look at, written below test-results/screens. */
export default defineConfig(journeys, {
  testDir: "../../tests/e2e/screens",
  testMatch: "*.shots.ts",
  outputDir: "../../test-results/screenshots-run",
  timeout: 1_800_000,
  use: { actionTimeout: 15_000, navigationTimeout: 15_000 },
});
