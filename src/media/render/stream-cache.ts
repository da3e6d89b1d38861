import { randomUUID } from "node:crypto";
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { checkFile } from "#ground/checksum.ts";
import { createTurns } from "#ground/slots.ts";
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
const UNFINISHED = ".";
const LEFTOVER_MS = 3_600_000;

const factsSchema = z.object({
  seconds: z.number(),
  warnings: z.array(z.custom<Warning>()).default([]),
  bytes: z.number(),
  /** By file name: after a crash, a file may have the right length but no content. */
  checksums: z.record(z.string(), z.number()),
});

/** Above `sizeLimitBytes`, evicts the least recently used streams. */
export async function openStreamCache(root: string, sizeLimitBytes: number): Promise<StreamCache> {
  await mkdir(root, { recursive: true });
  await removeLeftovers(root);
  let bytes = await evict(root, sizeLimitBytes);
  const counts = { hits: 0, misses: 0 };
  /** Serializes entries and evictions, so that their sum stays below the limit. */
  const inTurn = createTurns();
  const underWay = new Map<string, Promise<void>>();

  return {
    counts,
    async take(key, folder, name) {
      const entry = path.join(root, key);
      const found = await linkOut(entry, path.join(folder, name)).catch(() => null);
      if (found) counts.hits++;
      else counts.misses++;
      if (!found) await drop(entry);
      return found;
    },
    async keep(key, stream) {
      const unfinished = path.join(root, `${UNFINISHED}${randomUUID()}`);
      try {
        const added = await fill(unfinished, stream);
        if (added > sizeLimitBytes) return;
        await inTurn(async () => {
          if (bytes + added > sizeLimitBytes) bytes = await evict(root, sizeLimitBytes - added);
          // Fails if another process has made it meanwhile.
          await rename(unfinished, path.join(root, key));
          bytes += added;
        });
      } catch {
        // The job continues without the cache.
      } finally {
        await rm(unfinished, { recursive: true, force: true }).catch(() => {});
      }
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
  const now = new Date();
  await utimes(path.join(entry, FACTS), now, now);
  const stream = paths.get(STREAM);
  if (stream === undefined) return null;
  const { seconds, warnings } = facts;
  return { path: stream, thumbnailPath: paths.get(THUMBNAIL) ?? null, seconds, warnings };
}

/** Returns the entry's bytes. */
async function fill(entry: string, stream: EncodedStream): Promise<number> {
  await mkdir(entry);
  const files = { [STREAM]: stream.path, ...(stream.thumbnailPath ? { [THUMBNAIL]: stream.thumbnailPath } : {}) };
  const { seconds, warnings = [] } = stream;
  const facts = { seconds, warnings, bytes: 0, checksums: {} as Record<string, number> };
  for (const [name, file] of Object.entries(files)) {
    await linkOrCopy(file, path.join(entry, name));
    const { sizeBytes, crc32 } = await checkFile(file);
    facts.bytes += sizeBytes;
    facts.checksums[name] = crc32;
  }
  await writeFile(path.join(entry, FACTS), JSON.stringify(facts));
  return facts.bytes;
}

/** Evicts the least recently used, down to nine tenths of the limit. Returns the bytes left. */
async function evict(root: string, sizeLimitBytes: number): Promise<number> {
  const entries = [];
  for (const name of await readdir(root)) {
    if (name.startsWith(UNFINISHED)) continue;
    const entry = path.join(root, name);
    const found = await describe(entry).catch(() => null);
    if (found) entries.push({ entry, ...found });
    else await drop(entry);
  }
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes <= sizeLimitBytes) return bytes;
  for (const { entry, bytes: freed } of entries.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= sizeLimitBytes * 0.9) break;
    await drop(entry);
    bytes -= freed;
  }
  return bytes;
}

async function describe(entry: string): Promise<{ bytes: number; usedAt: number }> {
  const file = path.join(entry, FACTS);
  const { bytes } = factsSchema.parse(JSON.parse(await readFile(file, "utf8")));
  return { bytes, usedAt: (await stat(file)).mtimeMs };
}

async function drop(entry: string): Promise<void> {
  await rm(entry, { recursive: true, force: true });
}

async function removeLeftovers(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const entry = path.join(root, name);
    const found = await stat(entry).catch(() => null);
    if (name.startsWith(UNFINISHED) && found && found.mtimeMs < Date.now() - LEFTOVER_MS) await drop(entry);
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV" && error.code !== "EPERM") throw error;
    await copyFile(from, to);
  });
}
