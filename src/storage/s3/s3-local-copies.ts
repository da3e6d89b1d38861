import { createWriteStream } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sha256Of } from "#ground/checksum.ts";
import { openDiskCache } from "#ground/disk-cache.ts";
import { explainFullDisk, isDiskFull, readDiskSpace } from "#ground/disk-space.ts";
import { repeat } from "#ground/repeat.ts";

/** Copies used more recently may still be read. */
const IN_USE_MS = 6 * 3_600_000;
/** Work stops on an almost full disk, and no download evicts anything then. */
const EVICTION_INTERVAL_MS = 3_600_000;
/** Below this free share of the disk, only copies in use stay. */
const LOW_SHARE = 0.1;
const COPY = "copy";

export type LocalCopies = {
  /** Returns a path; fills the copy from `open` if missing. Throws what `open` throws, and "no_space". */
  take(identity: string, open: () => Promise<Readable>): Promise<string>;
};

/** Above `sizeLimitBytes` and on an almost full disk, evicts the oldest copies unused for 6 h. */
export async function openLocalCopies(folder: string, sizeLimitBytes: number): Promise<LocalCopies> {
  const cache = await openDiskCache(folder, sizeLimitBytes, { inUseMs: IN_USE_MS });
  const inFlight = new Map<string, Promise<string>>();

  const tidy = async (): Promise<void> => {
    const { freeBytes, totalBytes } = await readDiskSpace(folder);
    await cache.trim(freeBytes < LOW_SHARE * totalBytes ? 0 : sizeLimitBytes);
  };
  const fetch = async (key: string, open: () => Promise<Readable>): Promise<string> => {
    const download = async (entry: string): Promise<void> =>
      pipeline(await open(), createWriteStream(copyIn(entry), { flags: "wx" }));
    const add = (): Promise<string> => cache.add(key, download, pathOf);
    try {
      const copy = await add().catch(async (error: unknown) => {
        if (!isDiskFull(error)) throw error;
        await cache.trim(0);
        return await add();
      });
      await tidy();
      return copy;
    } catch (error) {
      throw explainFullDisk(error);
    }
  };

  await tidy();
  // The next round retries.
  repeat(tidy, { everyMs: EVICTION_INTERVAL_MS, onError: () => {} });
  return {
    async take(identity, open) {
      const key = sha256Of(identity);
      const found = await cache.read(key, pathOf);
      if (found !== null) return found;
      const shared = inFlight.get(key) ?? fetch(key, open).finally(() => inFlight.delete(key));
      inFlight.set(key, shared);
      return await shared;
    },
  };
}

function copyIn(entry: string): string {
  return path.join(entry, COPY);
}

async function pathOf(entry: string): Promise<string> {
  return copyIn(entry);
}
