import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ClipmillError } from "#contract/errors.ts";
import { unwritable } from "./private-data-dir.ts";

/**
 * Locks the data directory, because two processes would destroy an embedded database; with `program`, only against
 * programs of that kind. The lock ends with the process, even after SIGKILL. Returns the release function. Throws
 * ClipmillError "conflict" if another process holds it, "invalid" if the directory is not writable.
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

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
