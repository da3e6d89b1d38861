import type { BigIntStats } from "node:fs";

/** Identifies a version of a local file. A copy over it changes the time, a rename over it the inode. */
export function revisionOf({ size, mtimeNs, ino }: Pick<BigIntStats, "size" | "mtimeNs" | "ino">): string {
  return `${size} ${mtimeNs} ${ino}`;
}
