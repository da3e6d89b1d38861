import { defineConfig } from "vitest/config";

export default defineConfig({
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
