import { randomUUID } from "node:crypto";
import { constants, copyFile, link, mkdir, opendir, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { check } from "#ground/checksum.ts";
import { hasCode } from "#ground/error-code.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import type { Storage } from "#storage/storage.ts";
import type { KeptFile } from "./copy-files.ts";

const MAX_CONCURRENT = 4;

export type FileTarget = {
  storage: Storage;
  isFolder: boolean;
  /** On the storage's disk if that is a folder. */
  scratch: string;
};

export type PutFiles = {
  put: number;
  /** Already stored intact. */
  found: number;
  /** Keys of missing or damaged source files. */
  damaged: string[];
};

/**
 * Skips files stored with the same size and checksum, so an interrupted run can resume. Leaves no damaged file in
 * storage.
 */
export async function putFiles(
  target: FileTarget,
  files: Iterable<KeptFile>,
  pathOf: (file: KeptFile) => Promise<string>,
): Promise<PutFiles> {
  const result: PutFiles = { put: 0, found: 0, damaged: [] };
  await mkdir(target.scratch, { recursive: true, mode: 0o700 });
  try {
    await forEachAtOnce(files, MAX_CONCURRENT, async (file) => {
      if (await isThere(target.storage, file)) result.found += 1;
      else if (await putFile(target, file, pathOf)) result.put += 1;
      else result.damaged.push(file.key);
    });
  } finally {
    await rm(target.scratch, { recursive: true, force: true });
  }
  return result;
}

async function putFile(
  { storage, isFolder, scratch }: FileTarget,
  file: KeptFile,
  pathOf: (file: KeptFile) => Promise<string>,
): Promise<boolean> {
  const staged = path.join(scratch, randomUUID());
  try {
    await stage(await pathOf(file), staged, isFolder);
  } catch (error) {
    if (hasCode(error, "ENOENT", "not_found")) return false;
    throw error;
  }
  const stored = await storage.put(file.key, staged);
  // A folder's files were measured in place; a bucket's are read back.
  const isWhole = isSame(stored, file) && (isFolder || (await isThere(storage, file)));
  if (!isWhole) await storage.removeAll(file.key);
  return isWhole;
}

/** Storage removes the staged file. For a bucket, which only reads it, a hard link is enough. */
async function stage(from: string, staged: string, isFolder: boolean): Promise<void> {
  const file = await realpath(from);
  const isLinked =
    !isFolder &&
    (await link(file, staged).then(
      () => true,
      () => false,
    ));
  if (!isLinked) await copyFile(file, staged, constants.COPYFILE_FICLONE);
}

async function isThere(storage: Storage, file: KeptFile): Promise<boolean> {
  if ((await storage.sizeOf(file.key)) !== file.sizeBytes) return false;
  return isSame(await check(await storage.read(file.key)), file);
}

function isSame(stored: Omit<KeptFile, "key">, file: KeptFile): boolean {
  return stored.sizeBytes === file.sizeBytes && stored.crc32 === file.crc32;
}

/**
 * A link in a backup could name any file of this machine, which a restore would then copy into storage. The backup's own
 * path may be a link. Throws ClipmillError "invalid" for a link or a special file at any depth.
 */
export async function requireNoLinks(folder: string): Promise<void> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) continue;
    const name = path.relative(folder, path.join(entry.parentPath, entry.name));
    const problem = entry.isSymbolicLink()
      ? "a symbolic link. Replace it with a copy of the original"
      : "neither a file nor a folder. Remove it";
    throw new ClipmillError(
      "invalid",
      `The backup contains ${name}, which is ${problem}, then run this again. Nothing was restored.`,
      { facts: { file: name } },
    );
  }
}
