import type { Dirent, BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import { type LeftOut, LEFT_OUT } from "#contract/watch-folders/left-out.ts";
import { WATCH_LIMITS } from "#contract/watch-folders/watch-folders.ts";
import { hasCode, isMissing } from "#ground/error-code.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { type ListedFile, tooManyFiles } from "../check/compare-listing.ts";
import { findLocalFolder, type LocalRoots } from "./local-folders.ts";
import { locateFile, toStoredPath } from "./local-path.ts";

const AT_ONCE = 16;

/**
 * Skips subfolders. Throws ClipmillError "source_not_found", "not_shared" without the right to read the folder, or
 * "too_large".
 */
export async function listLocalFiles(roots: LocalRoots, name: string): Promise<ListedFile[]> {
  const folder = await findLocalFolder(roots, name);
  const entries = (await readFolder(folder, name)).filter((entry) => !entry.isDirectory());
  if (entries.length > WATCH_LIMITS.files) throw tooManyFiles();
  const listed: ListedFile[] = [];
  await forEachAtOnce(entries, AT_ONCE, async (entry) => {
    const file = await describe(folder, entry);
    if (file) listed.push(file);
  });
  return listed;
}

/** Null for a file removed since. */
async function describe(folder: string, entry: Dirent<Buffer>): Promise<ListedFile | null> {
  const common = { ...toStoredPath(entry.name), link: null, isVideo: null };
  const special = specialOf(entry);
  if (special) return { ...common, sizeBytes: null, ...special };
  try {
    const stats = await lstat(locateFile(folder, common.path), { bigint: true });
    return { ...common, sizeBytes: Number(stats.size), revision: revisionOf(stats), leftOut: null };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Pipes and devices never end. Returns null for a file with content. */
function specialOf(entry: Dirent<Buffer>): { revision: string; leftOut: LeftOut } | null {
  if (entry.isFile()) return null;
  if (entry.isSymbolicLink()) return { revision: "link", leftOut: LEFT_OUT.link };
  const kind = entry.isFIFO() ? "fifo" : entry.isSocket() ? "socket" : "device";
  return { revision: kind, leftOut: LEFT_OUT[kind] };
}

async function readFolder(folder: string, name: string): Promise<Dirent<Buffer>[]> {
  try {
    // Names that are not UTF-8 are lost in strings.
    return await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  } catch (cause) {
    if (!hasCode(cause, "EACCES", "EPERM")) throw cause;
    throw new ClipmillError(
      "not_shared",
      `Clipmill does not have permission to read the folder "${name}". Change its permissions.`,
      {
        cause,
      },
    );
  }
}

/** A copy over a file changes the time, a rename over it the inode. */
export function revisionOf({ size, mtimeNs, ino }: Pick<BigIntStats, "size" | "mtimeNs" | "ino">): string {
  return `${size} ${mtimeNs} ${ino}`;
}
