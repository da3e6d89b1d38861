/** Fails for packages without a checksum in package-lock.json. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { lockfileFaults } from "./lockfile-faults.ts";

const faults = lockfileFaults(readFileSync(path.resolve(import.meta.dirname, "../../package-lock.json"), "utf8"));
for (const fault of faults) console.error(`package-lock.json: ${fault}`);
if (faults.length > 0) {
  console.error("To add missing checksums, see docs/BUNDLED.md.");
  process.exitCode = 1;
}
