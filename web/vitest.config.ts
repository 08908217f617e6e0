import { playwright } from "@vitest/browser-playwright";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";

export default defineConfig({
  plugins: [react()],
  test: {
    projects: [
      {
        extends: true,
        test: { name: "unit", environment: "node", include: ["src/**/*.test.ts"] },
      },
      {
        extends: true,
        // A library that is found in the middle of a run reloads the page, with a second React beside the first.
        optimizeDeps: {
          entries: ["src/**/*.browser.test.tsx", "src/markdown/highlight/worker.ts"],
          include: ["@base-ui/react/*", "@tanstack/react-query", "i18next", "lucide-react", "react-dom/client", "react-i18next", "wouter"],
        },
        test: {
          name: "browser",
          // A worker's first start on a busy machine takes longer than the usual second.
          expect: { poll: { timeout: 10_000 } },
          include: ["src/**/*.browser.test.tsx"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: chromium,
                args: [
                  "--no-sandbox",
                  "--disable-gpu",
                  "--no-first-run",
                  "--disable-background-networking",
                  "--disable-component-update",
                ],
              },
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
