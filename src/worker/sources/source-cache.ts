import { link, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { sha256Of, sha256OfFile } from "#ground/checksum.ts";
import { openDiskCache } from "#ground/disk-cache.ts";
import { hasCode } from "#ground/error-code.ts";
import { untilAborted } from "#ground/until-aborted.ts";

const factsSchema = z.object({
  name: z.string(),
  /** Hash of the content, independent of the link. */
  revision: z.string(),
});

/** `path` lies in the taker's own scratch folder. */
export type CachedSource = z.infer<typeof factsSchema> & {
  path: string;
  /** Hash of a library file's content, whose revision is its id. */
  digest?: string;
};

/** The same for all links to the same content. */
export function contentOf({ digest, revision }: Pick<CachedSource, "digest" | "revision">): string {
  return digest ?? revision;
}

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

const SOURCE = "source";
const FACTS = "facts.json";

export async function openSourceCache(root: string, sizeLimitBytes: number): Promise<SourceCache> {
  const cache = await openDiskCache(root, sizeLimitBytes);
  const downloads = new Map<string, Download>();

  const startDownload = (key: string, fetch: Fetch): Download => {
    const takers = new Set<SourceTaker>();
    const abandoned = new AbortController();
    const fill = async (entry: string): Promise<void> => {
      const file = path.join(entry, SOURCE);
      const { name } = await fetch(file, abandoned.signal);
      await writeFile(path.join(entry, FACTS), JSON.stringify({ name, revision: await sha256OfFile(file) }));
    };
    const linkAll = async (entry: string): Promise<Map<SourceTaker, CachedSource>> => {
      const sources = new Map<SourceTaker, CachedSource>();
      for (const taker of takers) {
        const source = await linkInto(taker.folder, key, entry).catch(unlessAborted(taker));
        if (source) sources.set(taker, source);
      }
      return sources;
    };
    const sources = cache.add(key, fill, linkAll).finally(() => downloads.delete(key));
    const download = { takers, abandoned, sources };
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

  /** Drops an entry that another process has evicted in part, or a power cut has damaged. */
  const takeCached = async (key: string, taker: SourceTaker): Promise<CachedSource | null> => {
    return await cache
      .read(key, (entry) => linkInto(taker.folder, key, entry))
      .catch(async (error: unknown) => {
        const isDamaged = hasCode(error, "ENOENT") || error instanceof SyntaxError || error instanceof z.ZodError;
        if (!isDamaged) throw error;
        await cache.drop(key);
        return null;
      });
  };

  return {
    async take(identity, taker, fetch) {
      const key = sha256Of(identity);
      for (;;) {
        taker.signal.throwIfAborted();
        const cached = await takeCached(key, taker);
        if (cached) return cached;
        taker.signal.throwIfAborted();
        const shared = downloads.get(key);
        const source = shared
          ? await join(shared, taker).catch(() => undefined)
          : await join(startDownload(key, fetch), taker);
        if (source) return source;
      }
    },
  };
}

async function linkInto(folder: string, key: string, entry: string): Promise<CachedSource> {
  const facts = factsSchema.parse(JSON.parse(await readFile(path.join(entry, FACTS), "utf8")));
  const own = path.join(folder, key);
  await link(path.join(entry, SOURCE), own).catch((error: unknown) => {
    if (!hasCode(error, "EEXIST")) throw error;
  });
  return { path: own, ...facts };
}

/** A taker that has left may have removed its folder. */
function unlessAborted({ signal }: SourceTaker): (error: unknown) => null {
  return (error) => {
    if (!signal.aborted) throw error;
    return null;
  };
}
