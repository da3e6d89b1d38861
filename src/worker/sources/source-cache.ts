/** Caches sources on disk, so that retries, other videos and other jobs need not download them again. */
import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256Of, sha256OfFile } from "#ground/checksum.ts";
import { createTurns } from "#ground/in-turn.ts";
import { untilAborted } from "#ground/until-aborted.ts";

/** `path` lies in the taker's own scratch folder. */
export type CachedSource = {
  path: string;
  name: string;
  /** Hash of the content, independent of the link. */
  revision: string;
};

/** The signal cancels the wait. */
type SourceTaker = { folder: string; signal: AbortSignal };

export type SourceCache = {
  /**
   * Hard-links a source into the taker's folder, where eviction cannot remove it. If it is not cached, `fetch`
   * downloads it to the given path. Concurrent takers share one download; if it fails, each other one retries, since it
   * may only have been canceled. Throws what `fetch` throws, or the signal's reason.
   */
  take(
    identity: string,
    taker: SourceTaker,
    fetch: (toPath: string) => Promise<{ name: string }>,
  ): Promise<CachedSource>;
};

/** Partial downloads unchanged for longer belong to killed processes. */
const DEAD_PART_MS = 3_600_000;

/**
 * Opens the cache in `root`. Above `sizeLimitBytes` it evicts the least recently used sources. Processes may share a folder:
 * the first complete download of a source wins.
 */
export async function openSourceCache(root: string, sizeLimitBytes: number): Promise<SourceCache> {
  await mkdir(root, { recursive: true });
  await removeDeadParts(root);
  const inFlight = new Map<string, Promise<CachedSource>>();
  /** Serializes links and evictions, so that no source is evicted before its link. */
  const inTurn = createTurns();

  const fill = async (
    file: string,
    folder: string,
    fetch: (toPath: string) => Promise<{ name: string }>,
  ): Promise<CachedSource> => {
    const part = `${file}.${randomUUID()}.part`;
    try {
      const { name } = await fetch(part);
      return await inTurn(async () => {
        await writeFile(`${file}.name`, name);
        await link(part, file).catch(ignoreExisting);
        const source = await linkInto(folder, file);
        await evict(root, sizeLimitBytes, file);
        return source;
      });
    } finally {
      await rm(part, { force: true });
    }
  };

  return {
    async take(identity, { folder, signal }, fetch) {
      const key = sha256Of(identity);
      const file = path.join(root, key);
      for (;;) {
        signal.throwIfAborted();
        const cached = await inTurn(() => linkInto(folder, file).catch(ignoreMissing));
        if (cached) return cached;
        const shared = inFlight.get(key);
        if (!shared) {
          const filling = fill(file, folder, fetch).finally(() => inFlight.delete(key));
          inFlight.set(key, filling);
          return filling;
        }
        await untilAborted(shared, signal).catch(() => {});
      }
    },
  };
}

async function linkInto(folder: string, file: string): Promise<CachedSource> {
  const now = new Date();
  await utimes(file, now, now);
  const own = path.join(folder, path.basename(file));
  await link(file, own).catch(ignoreExisting);
  return { path: own, name: await readFile(`${file}.name`, "utf8"), revision: await revisionOf(file, own) };
}

/** Returns the content hash, computed once per cached file. */
async function revisionOf(file: string, own: string): Promise<string> {
  const known = await readFile(`${file}.sha256`, "utf8").catch(() => "");
  if (/^[0-9a-f]{64}$/.test(known)) return known;
  const revision = await sha256OfFile(own);
  await writeFile(`${file}.sha256`, revision);
  return revision;
}

async function removeDeadParts(root: string): Promise<void> {
  const oldest = Date.now() - DEAD_PART_MS;
  for (const name of await readdir(root)) {
    const file = path.join(root, name);
    if (!name.endsWith(".part")) continue;
    // Another process may have finished it.
    const facts = await stat(file).catch(ignoreMissing);
    if (facts && facts.mtimeMs < oldest) await rm(file, { force: true });
  }
}

async function evict(root: string, sizeLimitBytes: number, justFetched: string): Promise<void> {
  const names = (await readdir(root)).filter((name) => !name.includes("."));
  const found = await Promise.all(
    names.map(async (name) => {
      const file = path.join(root, name);
      // Another process may have evicted it.
      const facts = await stat(file).catch(() => null);
      return facts ? [{ file, facts }] : [];
    }),
  );
  const files = found.flat();
  files.sort((a, b) => a.facts.mtimeMs - b.facts.mtimeMs);
  let bytes = files.reduce((sum, { facts }) => sum + facts.size, 0);
  for (const { file, facts } of files) {
    if (bytes <= sizeLimitBytes) return;
    if (file === justFetched) continue;
    await rm(file, { force: true });
    for (const about of ["name", "sha256"]) await rm(`${file}.${about}`, { force: true });
    bytes -= facts.size;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== "ENOENT") throw error;
  return null;
}
