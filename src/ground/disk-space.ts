/** The space on disks: how much is left, and errors for a full one. */
import { statfs } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import { hasCode } from "./error-code.ts";

export type DiskSpace = { freeBytes: number; totalBytes: number };

/** The system's codes for a full disk and for a quota that is used up. */
export const DISK_FULL_CODES: readonly string[] = ["ENOSPC", "EDQUOT"];
/** PostgreSQL's disk_full. */
const DATABASE_FULL = "53100";

/** Returns the space on the disk of a folder, without the part reserved for root. Throws the system's error. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Returns whether a file could not grow because the disk is full or a quota is used up. */
export function isDiskFull(error: unknown): boolean {
  return hasCode(error, ...DISK_FULL_CODES);
}

/** Returns whether the database refused a write because its disk is full. It recovers by itself once there is room. */
export function isDatabaseFull(error: unknown): boolean {
  return hasCode(error, DATABASE_FULL);
}

/** Returns a ClipmillError "no_space" if the disk is full, any other error unchanged. */
export function explainFullDisk(
  error: unknown,
  sentence = "The disk is full. Free some space, then retry.",
  facts: Record<string, unknown> = {},
): unknown {
  return isDiskFull(error) ? new ClipmillError("no_space", sentence, { facts, cause: error }) : error;
}
