/** Fails, naming each package, unless package-lock.json has the checksum of everything that npm installs. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { lockfileFaults } from "./lockfile-faults.ts";

const faults = lockfileFaults(readFileSync(path.resolve(import.meta.dirname, "../../package-lock.json"), "utf8"));
for (const fault of faults) console.error(`package-lock.json: ${fault}`);
if (faults.length > 0) {
  console.error("See docs/BUNDLED.md for how to add missing checksums.");
  process.exitCode = 1;
}
