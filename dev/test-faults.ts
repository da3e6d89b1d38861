/**
 * npm run test:faults: runs the full fault suite and other repeating tests, or the test files that match the arguments,
 * and writes docs/reliability.json and docs/RELIABILITY.md. Rows that did not run keep their figures.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { formatFigure } from "#tests/support/faults/fault-figures.ts";
import type { FaultResult } from "#tests/support/faults/fault-rounds.ts";

const FIGURES = "docs/reliability.json";
const PAGE = "docs/RELIABILITY.md";

/** These repeat their checks more often in a full run. */
const REPEATING = [
  "src/operations/jobs/finalize-job.test.ts",
  "src/server/auth/any-input.test.ts",
  "src/server/rest/odd-queries.test.ts",
];

const folder = mkdtempSync(path.join(os.tmpdir(), "clipmill-faults-"));
const resultsFile = path.join(folder, "results.jsonl");
const only = process.argv.slice(2);
const files = only.length > 0 ? only : ["tests/faults", ...REPEATING];
const run = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--maxWorkers=1", ...files], {
  stdio: "inherit",
  env: { ...process.env, FAULT_RESULTS: resultsFile },
});
const fresh = existsSync(resultsFile) ? readResults(readFileSync(resultsFile, "utf8")) : [];
rmSync(folder, { recursive: true });

const kept = existsSync(FIGURES) ? (JSON.parse(readFileSync(FIGURES, "utf8")) as FaultResult[]) : [];
const all = new Map([...kept, ...fresh].map((result) => [result.id, result]));
const results = [...all.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
writeFileSync(FIGURES, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(PAGE, toPage(results));
spawnSync(process.execPath, ["node_modules/oxfmt/bin/oxfmt", FIGURES, PAGE], { stdio: "inherit" });
process.exit(run.status ?? 1);

function readResults(text: string): FaultResult[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as FaultResult);
}

function toPage(results: FaultResult[]): string {
  const rows = results.map((result) => {
    const figures = Object.entries(result.figures).map(([name, figure]) => formatFigure(name, figure));
    const held = `${result.rounds - result.failed} of ${result.rounds}`;
    return `| ${result.fault} | ${result.expected} | ${held} | ${figures.join("; ")} | ${result.date} |`;
  });
  return `# Reliability

Each row is a test that injects a fault and checks the result. \`npm test\` runs a short form of most rows; \`npm run test:faults\` runs every row as often as
shown here and writes this page. To run one file: \`npm run test:faults -- tests/faults/<file>\`. Figures are the median and the
maximum of all rounds, or a count of rounds, such as 246 of 500.

| Fault | Expected | Passed | Measured | Last full run |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}
