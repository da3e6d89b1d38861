import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sha256Of } from "#ground/checksum.ts";
import { explainFullDisk, isDiskFull, readDiskSpace } from "#ground/disk-space.ts";
import { createTurns } from "#ground/slots.ts";

/** Copies used more recently may still be read. */
const IN_USE_MS = 6 * 3_600_000;
const PART = ".part";
/** Work stops on an almost full disk, and no download evicts anything then. */
const EVICTION_INTERVAL_MS = 3_600_000;
/** Below this free share of the disk, only copies in use stay. */
const LOW_SHARE = 0.1;

export type LocalCopies = {
  /** Returns a path; fills the copy from `open` if missing. Throws what `open` throws, and "no_space". */
  take(identity: string, open: () => Promise<Readable>): Promise<string>;
};

/** Above `sizeLimitBytes` and on an almost full disk, evicts the oldest copies unused for 6 h. */
export async function openLocalCopies(folder: string, sizeLimitBytes: number): Promise<LocalCopies> {
  await mkdir(folder, { recursive: true });
  const inFlight = new Map<string, Promise<void>>();
  /** So that no copy is evicted just after it was marked as used. */
  const inTurn = createTurns();

  const evictTo = (limitBytes: number): Promise<void> => inTurn(() => evict(folder, limitBytes));
  const tidy = async (): Promise<void> => evictTo((await isDiskLow(folder)) ? 0 : sizeLimitBytes);

  const fetch = async (file: string, open: () => Promise<Readable>): Promise<void> => {
    try {
      await download(file, open).catch(async (error: unknown) => {
        if (!isDiskFull(error)) throw error;
        await evictTo(0);
        await download(file, open);
      });
    } catch (error) {
      throw explainFullDisk(error);
    }
    await tidy();
  };

  await tidy();
  setInterval(() => void tidy().catch(() => {}), EVICTION_INTERVAL_MS).unref();
  return {
    async take(identity, open) {
      const file = path.join(folder, sha256Of(identity));
      if (await inTurn(() => markUsed(file))) return file;
      const shared = inFlight.get(file) ?? fetch(file, open).finally(() => inFlight.delete(file));
      inFlight.set(file, shared);
      await shared;
      return file;
    },
  };
}

async function download(file: string, open: () => Promise<Readable>): Promise<void> {
  const part = `${file}.${randomUUID()}${PART}`;
  try {
    await pipeline(await open(), createWriteStream(part, { flags: "wx" }));
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

async function markUsed(file: string): Promise<boolean> {
  const now = new Date();
  return await utimes(file, now, now).then(
    () => true,
    () => false,
  );
}

async function isDiskLow(folder: string): Promise<boolean> {
  const { freeBytes, totalBytes } = await readDiskSpace(folder);
  return freeBytes < LOW_SHARE * totalBytes;
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
