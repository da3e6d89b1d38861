/** Fails for packages without a checksum in package-lock.json. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { lockfileProblems } from "./lockfile-problems.ts";

const problems = lockfileProblems(readFileSync(path.resolve(import.meta.dirname, "../../package-lock.json"), "utf8"));
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
if (problems.length > 0) {
  console.error("To add missing checksums, see docs/BUNDLED.md.");
  process.exitCode = 1;
}
