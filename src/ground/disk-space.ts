import { statfs } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import { hasCode } from "./error-code.ts";

export type DiskSpace = { freeBytes: number; totalBytes: number };

export const DISK_FULL_CODES: readonly string[] = ["ENOSPC", "EDQUOT"];
/** PostgreSQL's disk_full. */
const DATABASE_FULL = "53100";

/** Excludes the part reserved for root. Throws the system's error. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Includes an exhausted quota. For PostgreSQL's own error, see `isDatabaseFull`. */
export function isDiskFull(error: unknown): boolean {
  return hasCode(error, ...DISK_FULL_CODES);
}

/** The database recovers when there is space. */
export function isDatabaseFull(error: unknown): boolean {
  return hasCode(error, DATABASE_FULL);
}

/** Returns ClipmillError "no_space" for a full disk, or the error unchanged. */
export function explainFullDisk(
  error: unknown,
  sentence = "The disk is full. Free some space, then retry.",
  facts: Record<string, unknown> = {},
): unknown {
  return isDiskFull(error) ? new ClipmillError("no_space", sentence, { facts, cause: error }) : error;
}
