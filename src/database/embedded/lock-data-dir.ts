import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ClipmillError } from "#contract/errors.ts";
import { unwritable } from "./private-data-dir.ts";

/**
 * Takes the data directory for this process alone, since two processes on one embedded database destroy it; with
 * `program`, for one program of that kind alone: its scratch files and caches are then its own.
 * The lock is the operating system's, held through SQLite's own file lock, so a SIGKILL frees it at once.
 * Returns the release. Throws ClipmillError "conflict" when another process holds it, "invalid" when the directory
 * cannot be made or written to.
 */
export function lockDataDir(dataDir: string, program?: "server" | "worker"): () => void {
  const lock = openLock(dataDir, program ? `lock-${program}` : "lock");
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw unwritable(dataDir, cause);
    throw new ClipmillError(
      "conflict",
      `Another Clipmill ${program ? `${program} ` : ""}is already running on ${path.resolve(dataDir)}; stop it, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
  return () => lock.close();
}

function openLock(dataDir: string, name: string): DatabaseSync {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return new DatabaseSync(path.join(dataDir, name));
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
}

/** SQLite's answer when another process has the file locked. */
const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
