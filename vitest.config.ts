import { defineConfig } from "vitest/config";

/** Set by `npm run test:newest-client`: the client's entry to test with instead of the pinned one. */
const newestClient = process.env["NEWEST_CLIENT"];

/** Tests of functions alone: they start no program and no database, so threads are enough for them. */
const UNIT = ["src/{contract,ground,web}/**/*.test.{ts,tsx}"];
/** Tests that replace a module: their processes are not used again. */
const REPLACING = ["tests/add-job-setting.test.ts"];
/** Tests that break something on purpose; `npm run test:faults` repeats each of them. */
const FAULTS = ["tests/faults/**/*.test.ts"];

export default defineConfig({
  resolve: { alias: newestClient ? { "@supabase/supabase-js": newestClient } : {} },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // How long `expect.poll` looks for what it waits for; a loaded machine needs more than the default second.
    expect: { poll: { timeout: 15_000 } },
    // More than the two cores of the smallest machine they run on: many tests wait rather than compute.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: "unit", include: UNIT, pool: "threads" } },
      {
        extends: true,
        test: {
          name: "integration",
          // Files take turns in the same few processes: each loads modules, WebAssembly and PostgreSQL once, not once per file.
          isolate: false,
          include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: ["tests/e2e/**", ...UNIT, ...REPLACING, ...FAULTS],
        },
      },
      { extends: true, test: { name: "replacing", include: REPLACING } },
      // After all others and fewer at the same time: some of them measure how long an answer takes.
      { extends: true, test: { name: "faults", include: FAULTS, maxWorkers: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});
