import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { SAVE_TIME_LONG } from "./tests/support/run-command.ts";
import { keepTemporaryFilesInMemory } from "./tests/support/temporary-files.ts";

/** Replaces the pinned client. Set by `npm run test:newest-client`. */
const newestClient = process.env["NEWEST_CLIENT"];

/** Can run in threads: no child processes or databases. */
const UNIT = ["src/{contract,ground,web}/**/*.test.{ts,tsx}"];
/** These replace a module for all its importers. Each runs in its own process. */
const REPLACING = globSync("{src,tests}/**/*.test.{ts,tsx}").filter((file) =>
  readFileSync(file, "utf8").includes("vi.mock("),
);
const FAULTS = ["tests/faults/**/*.test.ts"];
/** These fail if something takes too long. */
const TIMED = [
  "tests/faults/network/{hostile-sockets,notice,slow-loris}.test.ts",
  "tests/faults/processes/{cancel-across-hosts,kill-embedded,kill-programs}.test.ts",
];

// The full fault suite runs on the disk.
if (process.env["FAULT_RESULTS"] === undefined) keepTemporaryFilesInMemory();

export default defineConfig({
  resolve: { alias: newestClient ? { "@supabase/supabase-js": newestClient } : {} },
  test: {
    // As in playwright.config.ts. Repeated faults count every failure.
    retry: process.env["FAULT_RESULTS"] === undefined ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A loaded machine needs more than the default second.
    expect: { poll: { timeout: 15_000 } },
    // More than twice the cores of the smallest supported machine, because many tests wait more than they compute.
    maxWorkers: 5,
    projects: [
      { extends: true, test: { name: "unit", include: UNIT, exclude: REPLACING, pool: "threads", isolate: false } },
      {
        extends: true,
        test: {
          name: "integration",
          // Files share a few processes, which load modules, WebAssembly and PostgreSQL once instead of once per file.
          isolate: false,
          execArgv: SAVE_TIME_LONG,
          include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: ["tests/e2e/**", ...UNIT, ...REPLACING, ...FAULTS],
        },
      },
      { extends: true, test: { name: "replacing", include: REPLACING } },
      {
        extends: true,
        test: {
          name: "faults",
          isolate: false,
          execArgv: SAVE_TIME_LONG,
          include: FAULTS,
          exclude: TIMED,
          maxConcurrency: 3,
        },
      },
      // Last, with fewer workers.
      {
        extends: true,
        test: { name: "timed-faults", include: TIMED, maxWorkers: 3, maxConcurrency: 3, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
