import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sha256Of } from "#ground/checksum.ts";
import { explainFullDisk } from "#ground/disk-space.ts";

/** Copies used more recently may still be read. */
const IN_USE_MS = 6 * 3_600_000;
const PART = ".part";

export type LocalCopies = {
  /** Returns a path; fills the copy from `open` if missing. Throws what `open` throws, and "no_space". */
  take(identity: string, open: () => Promise<Readable>): Promise<string>;
};

/** Above `sizeLimitBytes`, evicts the oldest copies unused for 6 h. */
export async function openLocalCopies(folder: string, sizeLimitBytes: number): Promise<LocalCopies> {
  await mkdir(folder, { recursive: true });
  const inFlight = new Map<string, Promise<void>>();

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
    await evict(folder, sizeLimitBytes);
  };

  return {
    async take(identity, open) {
      const file = path.join(folder, sha256Of(identity));
      if (await markUsed(file)) return file;
      const shared = inFlight.get(file) ?? fetch(file, open).finally(() => inFlight.delete(file));
      inFlight.set(file, shared);
      await shared;
      return file;
    },
  };
}

async function markUsed(file: string): Promise<boolean> {
  const now = new Date();
  return await utimes(file, now, now).then(
    () => true,
    () => false,
  );
}

/** Also removes old partial downloads that a kill left. */
async function evict(folder: string, sizeLimitBytes: number): Promise<void> {
  const names = await readdir(folder);
  const found = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const facts = await stat(file).catch(() => null);
      return { file, sizeBytes: facts?.size ?? 0, usedAt: facts?.mtimeMs ?? 0 };
    }),
  );
  found.sort((a, b) => a.usedAt - b.usedAt);
  let bytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const newest = Date.now() - IN_USE_MS;
  for (const { file, sizeBytes, usedAt } of found) {
    if (usedAt > newest || (bytes <= sizeLimitBytes && !file.endsWith(PART))) continue;
    await rm(file, { force: true });
    bytes -= sizeBytes;
  }
}
