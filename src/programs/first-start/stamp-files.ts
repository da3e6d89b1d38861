import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256Of, sha256OfFile } from "#ground/checksum.ts";

/** Digests of the files' sizes and modification times, and of their contents. */
export type Stamp = { times: string; contents: string };

/**
 * Returns true if `files` (relative to `root`, in the same order) are as they were when `stampFile` was written. Reads
 * contents only if a time or size has changed, for example by a checkout; this saves 50 ms of CPU time for 700 files.
 * Throws the system's error for an absent file.
 */
export async function isUnchanged(stampFile: string, root: string, files: readonly string[]): Promise<boolean> {
  const stamp = await readStamp(stampFile);
  if (stamp === null) return false;
  const times = await stampTimes(root, files);
  if (stamp.times === times) return true;
  if (stamp.contents !== (await stampContents(root, files))) return false;
  // In a read-only folder, the next call reads contents again.
  await writeStamp(stampFile, { ...stamp, times }).catch(() => {});
  return true;
}

/** Throws the system's error for an absent file. */
export async function stampFiles(root: string, files: readonly string[]): Promise<Stamp> {
  return { times: await stampTimes(root, files), contents: await stampContents(root, files) };
}

/** Throws the system's error. */
export async function writeStamp(stampFile: string, stamp: Stamp): Promise<void> {
  await writeFile(stampFile, JSON.stringify(stamp));
}

/** Null if there is none, or another program is writing it. */
async function readStamp(stampFile: string): Promise<Stamp | null> {
  try {
    return JSON.parse(await readFile(stampFile, "utf8")) as Stamp;
  } catch {
    return null;
  }
}

function stampTimes(root: string, files: readonly string[]): Promise<string> {
  return stampEach(root, files, async (file) => {
    const { size, mtimeMs } = await stat(file);
    // Image layers keep whole seconds.
    return `${size} ${Math.floor(mtimeMs / 1_000)}`;
  });
}

function stampContents(root: string, files: readonly string[]): Promise<string> {
  return stampEach(root, files, sha256OfFile);
}

async function stampEach(
  root: string,
  files: readonly string[],
  describe: (file: string) => Promise<string>,
): Promise<string> {
  const lines = files.map(async (file) => `${file} ${await describe(path.join(root, file))}`);
  return sha256Of((await Promise.all(lines)).join("\n"));
}
