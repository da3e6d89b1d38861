/** Objects as local files, for ffmpeg: kept on disk so that each comes over the line once. */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sha256Of } from "#ground/checksum.ts";
import { explainFullDisk } from "#ground/disk-space.ts";

/** Somebody may still be reading what was asked for since. */
const IN_USE_MS = 6 * 3_600_000;
const PART = ".part";

export type LocalCopies = {
  /** The path of the copy known by `identity`, read from `open` when there is none. Throws what `open` throws, and "no_space". */
  take(identity: string, open: () => Promise<Readable>): Promise<string>;
};

/** Keeps copies in `folder`. Above `mostBytes` those go that nobody asked for in hours, the oldest first. */
export async function openLocalCopies(folder: string, mostBytes: number): Promise<LocalCopies> {
  await mkdir(folder, { recursive: true });
  const underWay = new Map<string, Promise<void>>();

  const fetch = async (file: string, open: () => Promise<Readable>): Promise<void> => {
    const part = `${file}.${randomUUID()}${PART}`;
    try {
      await pipeline(await open(), createWriteStream(part, { flags: "wx" }));
      await rename(part, file);
    } catch (error) {
      throw explainFullDisk(error);
    } finally {
      await rm(part, { force: true });
    }
    await evict(folder, mostBytes);
  };

  return {
    async take(identity, open) {
      const file = path.join(folder, sha256Of(identity));
      if (await isThere(file)) return file;
      const shared = underWay.get(file) ?? fetch(file, open).finally(() => underWay.delete(file));
      underWay.set(file, shared);
      await shared;
      return file;
    },
  };
}

/** Marks it as asked for now, where it is there. */
async function isThere(file: string): Promise<boolean> {
  const now = new Date();
  return await utimes(file, now, now).then(
    () => true,
    () => false,
  );
}

/** Parts of killed downloads go with the old copies. */
async function evict(folder: string, mostBytes: number): Promise<void> {
  const names = await readdir(folder);
  const found = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const facts = await stat(file).catch(() => null);
      return { file, sizeBytes: facts?.size ?? 0, askedAt: facts?.mtimeMs ?? 0 };
    }),
  );
  found.sort((a, b) => a.askedAt - b.askedAt);
  let bytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const newest = Date.now() - IN_USE_MS;
  for (const { file, sizeBytes, askedAt } of found) {
    if (askedAt > newest || (bytes <= mostBytes && !file.endsWith(PART))) continue;
    await rm(file, { force: true });
    bytes -= sizeBytes;
  }
}
