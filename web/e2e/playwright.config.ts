import { defineConfig } from "@playwright/test";

/** Journeys in Chromium against the real binary: DROVER_BIN, with the scripted agent beside it or at DROVER_AGENT. */
export default defineConfig({
  testDir: "../../tests/e2e",
  outputDir: "../../test-results/e2e",
  // One browser at a time: the journeys are about a daemon under many tabs, not about many daemons.
  workers: 1,
  fullyParallel: false,
  forbidOnly: !!process.env.CI,
  // On a busy machine a click can meet a page that is just being drawn. What passes only the second time is told as flaky.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env.CI ? [["list"]] : "list",
  use: {
    browserName: "chromium",
    locale: "en-US",
    trace: "off",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      // The back-forward cache is part of what the stream must survive.
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
      ],
    },
  },
});
