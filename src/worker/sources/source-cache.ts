import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256Of, sha256OfFile } from "#ground/checksum.ts";
import { createTurns } from "#ground/slots.ts";
import { untilAborted } from "#ground/until-aborted.ts";

/** `path` lies in the taker's own scratch folder. */
export type CachedSource = {
  path: string;
  name: string;
  /** Hash of the content, independent of the link. */
  revision: string;
};

type SourceTaker = { folder: string; signal: AbortSignal };

/** The signal aborts when nobody needs the download. */
type Fetch = (toPath: string, signal: AbortSignal) => Promise<{ name: string }>;

export type SourceCache = {
  /**
   * Hard-links a source into the taker's folder, where eviction cannot remove it; `fetch` downloads it if it is not
   * cached. Concurrent takers share one download, which ends when the last one leaves; if it fails, each other taker
   * retries with its own `fetch`. Throws what `fetch` throws, or the signal's reason.
   */
  take(identity: string, taker: SourceTaker, fetch: Fetch): Promise<CachedSource>;
};

type Download = {
  takers: Set<SourceTaker>;
  abandoned: AbortController;
  sources: Promise<Map<SourceTaker, CachedSource>>;
};

/** Older partial downloads belong to killed processes. */
const DEAD_PART_MS = 3_600_000;

/**
 * Above `sizeLimitBytes`, evicts the least recently used sources. Processes may share a folder: the first complete
 * download of a source wins.
 */
export async function openSourceCache(root: string, sizeLimitBytes: number): Promise<SourceCache> {
  await mkdir(root, { recursive: true });
  await removeDeadParts(root);
  const downloads = new Map<string, Download>();
  /** Serializes links and evictions, so that no source is evicted before its link. */
  const inTurn = createTurns();

  const fill = async (
    file: string,
    { takers, abandoned }: Pick<Download, "takers" | "abandoned">,
    fetch: Fetch,
  ): Promise<Map<SourceTaker, CachedSource>> => {
    const part = `${file}.${randomUUID()}.part`;
    try {
      const { name } = await fetch(part, abandoned.signal);
      // Hashed before the turn: a large file takes seconds.
      const revision = await sha256OfFile(part);
      return await inTurn(async () => {
        await writeFile(`${file}.name`, name);
        if (await linkNew(part, file)) await writeFile(`${file}.sha256`, revision);
        const sources = new Map<SourceTaker, CachedSource>();
        for (const taker of takers) {
          const source = await linkInto(taker.folder, file).catch(unlessAborted(taker));
          if (source) sources.set(taker, source);
        }
        await evict(root, sizeLimitBytes, file);
        return sources;
      });
    } finally {
      await rm(part, { force: true });
    }
  };

  const startDownload = (key: string, file: string, fetch: Fetch): Download => {
    const shared = { takers: new Set<SourceTaker>(), abandoned: new AbortController() };
    const sources = fill(file, shared, fetch).finally(() => downloads.delete(key));
    const download = { ...shared, sources };
    downloads.set(key, download);
    return download;
  };

  /** Returns undefined if the download ended before this taker joined. */
  const join = async (download: Download, taker: SourceTaker): Promise<CachedSource | undefined> => {
    const { takers, abandoned } = download;
    const leave = (): void => {
      takers.delete(taker);
      if (takers.size === 0) abandoned.abort(taker.signal.reason);
    };
    takers.add(taker);
    taker.signal.addEventListener("abort", leave, { once: true });
    try {
      return (await untilAborted(download.sources, taker.signal)).get(taker);
    } catch (error) {
      // Waits until the partial download is removed.
      if (abandoned.signal.aborted) await download.sources;
      throw error;
    } finally {
      taker.signal.removeEventListener("abort", leave);
    }
  };

  return {
    async take(identity, taker, fetch) {
      const key = sha256Of(identity);
      const file = path.join(root, key);
      for (;;) {
        taker.signal.throwIfAborted();
        const cached = await inTurn(() => linkInto(taker.folder, file).catch(ignoreMissing));
        if (cached) return cached;
        taker.signal.throwIfAborted();
        const shared = downloads.get(key);
        const source = shared
          ? await join(shared, taker).catch(() => undefined)
          : await join(startDownload(key, file, fetch), taker);
        if (source) return source;
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

async function linkNew(existing: string, file: string): Promise<boolean> {
  return await link(existing, file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      ignoreExisting(error);
      return false;
    },
  );
}

/** A taker that has left may have removed its folder. */
function unlessAborted({ signal }: SourceTaker): (error: unknown) => null {
  return (error) => {
    if (!signal.aborted) throw error;
    return null;
  };
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== "ENOENT") throw error;
  return null;
}
