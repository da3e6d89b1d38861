import type { Dirent, BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { LEFT_OUT } from "#contract/watch-folders/left-out.ts";
import { WATCH_LIMITS } from "#contract/watch-folders/watch-folders.ts";
import { hasCode, isMissing } from "#ground/error-code.ts";
import { forEachAtOnce } from "#ground/for-each-at-once.ts";
import { type ListedFile, tooManyFiles } from "../check/listed-file.ts";
import { findLocalFolder, type LocalRoots } from "./local-folders.ts";

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
async function describe(folder: string, entry: Dirent): Promise<ListedFile | null> {
  const common = { path: entry.name, name: entry.name, link: null, isVideo: null };
  // Pipes and devices never end.
  if (!entry.isFile()) return { ...common, sizeBytes: null, revision: "link", leftOut: LEFT_OUT.link };
  try {
    const stats = await lstat(path.join(folder, entry.name), { bigint: true });
    return { ...common, sizeBytes: Number(stats.size), revision: revisionOf(stats), leftOut: null };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function readFolder(folder: string, name: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
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
