import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ClipmillError } from "#contract/errors.ts";

/**
 * Takes the data directory for this process alone; two processes on one embedded database destroy it.
 * The lock is the operating system's, held through SQLite's own file lock, so a SIGKILL frees it at once.
 * Returns the release. Throws ClipmillError "conflict" when another process holds it.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(path.join(dataDir, "lock"));
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    throw new ClipmillError(
      "conflict",
      `Another Clipmill is already running on ${path.resolve(dataDir)}; stop it, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
  return () => lock.close();
}
