import { defineConfig } from "vitest/config";

/** Set by `npm run test:newest-client`: the client's entry to test with instead of the pinned one. */
const newestClient = process.env["NEWEST_CLIENT"];

export default defineConfig({
  resolve: { alias: newestClient ? { "@supabase/supabase-js": newestClient } : {} },
  test: {
    include: ["src/**/*.test.{ts,tsx}", "tests/**/*.test.ts"],
    exclude: ["tests/e2e/**", "node_modules/**"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // How long `expect.poll` looks for what it waits for; a loaded machine needs more than the default second.
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
  },
});
