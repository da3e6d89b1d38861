/**
 * npm run check: types, lint, format, unused code and the project's own rules, two at a time. Each prints its output when it
 * has ended; all of them run, also after one that failed.
 */
import { execa } from "execa";

const CHECKS = [
  // Its cache makes a second run short.
  ["tsc", "-p", ".", "--incremental", "--tsBuildInfoFile", "node_modules/.cache/tsc.tsbuildinfo"],
  ["oxlint", "--type-aware", "--deny-warnings"],
  ["knip"],
  ["node", "dev/check-web-size.ts"],
  ["oxfmt", "--check", "."],
  ["node", "dev/check-lockfile.ts"],
  ["node", "dev/check-spec-coverage.ts"],
];
const AT_ONCE = 2;

const waiting = [...CHECKS];
await Promise.all(Array.from({ length: AT_ONCE }, runThemInTurn));

async function runThemInTurn(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [command, ...args] = next;
    const began = performance.now();
    const { exitCode, all } = await execa(command!, args, { reject: false, all: true, preferLocal: true });
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(
      `${exitCode === 0 ? "ok" : "FAILED"} ${next.slice(0, 2).join(" ")} (${seconds} s)\n${all ?? ""}`.trim(),
    );
    if (exitCode !== 0) process.exitCode = 1;
  }
}
