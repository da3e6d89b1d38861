/** Fetched sources on disk, so that a retry, another video of the job or another job does not download them again. */
import { createHash } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";

/** A source as the cache hands it out: `path` lies in the taker's own scratch folder. */
export type CachedSource = { path: string; name: string };

export type SourceCache = {
  /**
   * Puts the source known by `identity` into `folder` as a hard link, so that eviction cannot take it away.
   * `fetch` downloads it to the path it is given when it is not there yet; callers at the same time share one download.
   */
  take(identity: string, folder: string, fetch: (toPath: string) => Promise<{ name: string }>): Promise<CachedSource>;
};

/** Opens the cache in `root`, kept under `mostBytes` by dropping what was used longest ago. */
export async function openSourceCache(root: string, mostBytes: number): Promise<SourceCache> {
  await mkdir(root, { recursive: true });
  const underWay = new Map<string, Promise<void>>();

  const fill = async (file: string, fetch: (toPath: string) => Promise<{ name: string }>): Promise<void> => {
    const part = `${file}.part`;
    try {
      const { name } = await fetch(part);
      await writeFile(`${file}.name`, name);
      await rename(part, file);
      await evict(root, mostBytes, file);
    } finally {
      await rm(part, { force: true });
    }
  };

  return {
    async take(identity, folder, fetch) {
      const key = createHash("sha256").update(identity).digest("hex");
      const file = path.join(root, key);
      if (!(await exists(file))) {
        const filling = underWay.get(key) ?? fill(file, fetch).finally(() => underWay.delete(key));
        underWay.set(key, filling);
        await filling;
      }
      const now = new Date();
      await utimes(file, now, now);
      const own = path.join(folder, key);
      await link(file, own).catch(ignoreExisting);
      return { path: own, name: await readFile(`${file}.name`, "utf8") };
    },
  };
}

async function evict(root: string, mostBytes: number, justFetched: string): Promise<void> {
  const names = (await readdir(root)).filter((name) => !name.includes("."));
  const files = await Promise.all(
    names.map(async (name) => ({ file: path.join(root, name), facts: await stat(path.join(root, name)) })),
  );
  files.sort((a, b) => a.facts.mtimeMs - b.facts.mtimeMs);
  let bytes = files.reduce((sum, { facts }) => sum + facts.size, 0);
  for (const { file, facts } of files) {
    if (bytes <= mostBytes) return;
    if (file === justFetched) continue;
    await rm(file, { force: true });
    await rm(`${file}.name`, { force: true });
    bytes -= facts.size;
  }
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
