import { copyFile, link, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { checkFile } from "#ground/checksum.ts";
import { openDiskCache } from "#ground/disk-cache.ts";
import { removeFile } from "./remove-file.ts";

export type EncodedStream = {
  path: string;
  thumbnailPath: string | null;
  seconds: number;
  warnings?: Warning[];
};

export type StreamCache = {
  /**
   * Hard-links the stream into `folder` as `name`, so that eviction cannot remove it. Returns null if it is missing or
   * damaged.
   */
  take(key: string, folder: string, name: string): Promise<EncodedStream | null>;
  /** Ignores failures, for example a full disk: the stream is encoded again when needed. */
  keep(key: string, stream: EncodedStream): Promise<void>;
  /** If the stream is reserved already, returns a promise that resolves on release. */
  reserve(key: string): { release: () => void } | Promise<void>;
  readonly counts: { hits: number; misses: number };
};

const STREAM = "stream";
const THUMBNAIL = "thumbnail";
const FACTS = "facts.json";

const factsSchema = z.object({
  seconds: z.number(),
  warnings: z.array(z.custom<Warning>()).default([]),
  /** By file name: after a crash, a file may have the right length but no content. */
  checksums: z.record(z.string(), z.number()),
});

/** Above `sizeLimitBytes`, evicts the least recently used streams. */
export async function openStreamCache(root: string, sizeLimitBytes: number): Promise<StreamCache> {
  const cache = await openDiskCache(root, sizeLimitBytes);
  const counts = { hits: 0, misses: 0 };
  const underWay = new Map<string, Promise<void>>();

  return {
    counts,
    async take(key, folder, name) {
      const linked = cache.read(key, (entry) => linkOut(entry, path.join(folder, name)));
      const found = await linked.catch(() => null);
      if (found) counts.hits++;
      else counts.misses++;
      if (!found) await cache.drop(key);
      return found;
    },
    async keep(key, stream) {
      const fill = async (entry: string): Promise<void> => {
        if ((await addFiles(entry, stream)) > sizeLimitBytes) throw new Error("The stream is larger than the cache.");
      };
      // The job continues without the cache.
      await cache.add(key, fill, async () => {}).catch(() => {});
    },
    reserve(key) {
      const taken = underWay.get(key);
      if (taken) return taken;
      const { promise, resolve } = Promise.withResolvers<void>();
      underWay.set(key, promise);
      return {
        release() {
          if (underWay.get(key) === promise) underWay.delete(key);
          resolve();
        },
      };
    },
  };
}

async function linkOut(entry: string, target: string): Promise<EncodedStream | null> {
  const facts = factsSchema.parse(JSON.parse(await readFile(path.join(entry, FACTS), "utf8")));
  const paths = new Map<string, string>();
  for (const [name, checksum] of Object.entries(facts.checksums)) {
    const own = `${target}.${name}`;
    await removeFile(own);
    await linkOrCopy(path.join(entry, name), own);
    if ((await checkFile(own)).crc32 !== checksum) return null;
    paths.set(name, own);
  }
  const stream = paths.get(STREAM);
  if (stream === undefined) return null;
  const { seconds, warnings } = facts;
  return { path: stream, thumbnailPath: paths.get(THUMBNAIL) ?? null, seconds, warnings };
}

/** Returns the entry's bytes. */
async function addFiles(entry: string, stream: EncodedStream): Promise<number> {
  const files = { [STREAM]: stream.path, ...(stream.thumbnailPath ? { [THUMBNAIL]: stream.thumbnailPath } : {}) };
  const { seconds, warnings = [] } = stream;
  const checksums: Record<string, number> = {};
  let bytes = 0;
  for (const [name, file] of Object.entries(files)) {
    await linkOrCopy(file, path.join(entry, name));
    const { sizeBytes, crc32 } = await checkFile(file);
    bytes += sizeBytes;
    checksums[name] = crc32;
  }
  await writeFile(path.join(entry, FACTS), JSON.stringify({ seconds, warnings, checksums }));
  return bytes;
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV" && error.code !== "EPERM") throw error;
    await copyFile(from, to);
  });
}
