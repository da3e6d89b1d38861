/**
 * npm run check: types, lint, format, unused code and the project's own rules, three at a time. All run even if one
 * fails.
 */
import { execa } from "execa";
import { forEachAtOnce } from "#ground/slots.ts";

const CHECKS = [
  // Incremental: makes a second run fast. More checkers than cores would only check the shared types more often.
  ["tsc", "-p", ".", "--checkers", "2", "--incremental", "--tsBuildInfoFile", "node_modules/.cache/tsc.tsbuildinfo"],
  ["oxlint", "--type-aware", "--deny-warnings"],
  ["knip"],
  ["node", "dev/checks/check-web-size.ts"],
  ["oxfmt", "--check", "."],
  ["node", "dev/generate-api.ts", "--check"],
  ["node", "dev/checks/check-lockfile.ts"],
  ["node", "dev/checks/check-spec-coverage.ts"],
  ["node", "dev/checks/check-folders.ts"],
];
const AT_ONCE = 3;
/**
 * tsc and oxlint's type-aware rules are Go programs. Without garbage collection they take a quarter less CPU time, and
 * 2.7 GB of memory each instead of 2.2.
 */
const env = { GOGC: "off" };

await forEachAtOnce(CHECKS, AT_ONCE, async (check) => {
  const [command, ...args] = check;
  const startedMs = performance.now();
  const { exitCode, all } = await execa(command!, args, { env, reject: false, all: true, preferLocal: true });
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(`${exitCode === 0 ? "ok" : "FAILED"} ${check.slice(0, 2).join(" ")} (${seconds} s)\n${all ?? ""}`.trim());
  if (exitCode !== 0) process.exitCode = 1;
});
