import { setFlagsFromString } from "node:v8";
import { defineConfig } from "@playwright/test";
import { findBrowser, launchOptions } from "./tests/support/browser/chromium.ts";
import { keepTemporaryFilesInMemory } from "./tests/support/temporary-files.ts";

keepTemporaryFilesInMemory();
// As in vitest.config.ts, for Clipmill in Playwright's workers.
setFlagsFromString("--wasm-tiering-budget=50000000");

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.e2e.ts",
  // As in vitest.config.ts: tests also wait for the server and for renders.
  workers: 5,
  timeout: 180_000,
  // On a busy machine, one test in thousands fails. The run lists it as flaky instead of failing; it remains a bug.
  retries: 1,
  expect: { timeout: 15_000 },
  reporter: "list",
  globalSetup: "./tests/e2e/build-web.ts",
  use: {
    browserName: "chromium",
    headless: true,
    // Without it, a click at something that has just disappeared waits until the test's time is up.
    actionTimeout: 30_000,
    launchOptions: launchOptions(findBrowser()),
    // Animations take a third of a screen's CPU time. Only tests of screens, toasts, palette and caption sets enable
    // them.
    reducedMotion: "reduce",
    screenshot: "only-on-failure",
    trace: "off",
  },
});
