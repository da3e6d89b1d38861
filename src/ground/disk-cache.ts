import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { hasCode, isMissing } from "./error-code.ts";
import { createTurns } from "./slots.ts";

/** `entry` is the folder with the entry's files. */
type Act<Result> = (entry: string) => Promise<Result>;

export type DiskCache = {
  /** Returns null if there is no such entry, otherwise what `act` returns. The entry stays until `act` settles. */
  read: <Result>(key: string, act: Act<Result>) => Promise<Result | null>;
  /**
   * Adds the entry that `fill` writes into an empty folder, then behaves like `read`. If another process has added the
   * entry meanwhile, `act` gets that one. Throws what `fill` and `act` throw, and the system's error.
   */
  add: <Result>(key: string, fill: Act<unknown>, act: Act<Result>) => Promise<Result>;
  drop(key: string): Promise<void>;
  /** Evicts entries above a limit. */
  trim(limitBytes: number): Promise<void>;
};

/** Of entries in progress, and of evicted ones until they are deleted. */
const HIDDEN = ".";
/** Older entries in progress belong to killed processes. */
const LEFTOVER_MS = 3_600_000;
/** Eviction reads the times of all entries, so each makes room for several. */
const EVICTED_TO_SHARE = 0.9;

/**
 * Opens a cache of files in `root`, which other processes may use, too. Above `limitBytes`, evicts the least recently
 * used entries. Entries in use stay: those that this process reads, and those that anyone used in the last `inUseMs`.
 * A crash leaves entries complete or hidden; their content is not synced.
 */
export async function openDiskCache(
  root: string,
  limitBytes: number,
  { inUseMs = 0 }: { inUseMs?: number } = {},
): Promise<DiskCache> {
  await mkdir(root, { recursive: true });
  await removeLeftovers(root);
  const sizes = new Map<string, number>();
  /** Number of readers by key. */
  const pins = new Map<string, number>();
  /** Serializes new uses, entries and evictions, so that no entry is evicted before its use and the limit holds. */
  const inTurn = createTurns();

  const pin = (key: string): Disposable => {
    pins.set(key, (pins.get(key) ?? 0) + 1);
    return {
      [Symbol.dispose]() {
        const left = pins.get(key)! - 1;
        if (left > 0) pins.set(key, left);
        else pins.delete(key);
      },
    };
  };
  const drop = async (key: string): Promise<void> => {
    sizes.delete(key);
    const hidden = hiddenPath(root);
    await rename(path.join(root, key), hidden).catch(ignoreMissing);
    await rm(hidden, { recursive: true, force: true });
  };
  /** Measures only new entries. */
  const measureAll = async (): Promise<number> => {
    const keys = new Set((await readdir(root)).filter((name) => !name.startsWith(HIDDEN)));
    for (const key of sizes.keys()) if (!keys.has(key)) sizes.delete(key);
    for (const key of keys) if (!sizes.has(key)) sizes.set(key, (await measure(path.join(root, key))).bytes);
    return sizes.values().reduce((sum, bytes) => sum + bytes, 0);
  };
  const makeRoom = async (addedBytes: number, limit: number): Promise<void> => {
    let bytes = addedBytes + (await measureAll());
    if (bytes <= limit) return;
    const nowMs = Date.now();
    const entries = [];
    for (const [key, size] of sizes) {
      entries.push({ key, size, usedMs: (await stat(path.join(root, key)).catch(ignoreMissing))?.mtimeMs ?? 0 });
    }
    for (const { key, size, usedMs } of entries.toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (bytes <= limit * EVICTED_TO_SHARE) return;
      if (pins.has(key) || (inUseMs > 0 && usedMs > nowMs - inUseMs)) continue;
      await drop(key);
      bytes -= size;
    }
  };

  await makeRoom(0, limitBytes);
  return {
    drop,
    trim: (limit) => inTurn(() => makeRoom(0, limit)),
    async read(key, act) {
      const entry = path.join(root, key);
      using _ = pin(key);
      if (!(await inTurn(() => markUsed(entry)))) return null;
      return await act(entry);
    },
    async add(key, fill, act) {
      const entry = path.join(root, key);
      const unfinished = hiddenPath(root);
      using _ = pin(key);
      try {
        await mkdir(unfinished);
        await fill(unfinished);
        const { bytes } = await measure(unfinished);
        await inTurn(async () => {
          await makeRoom(bytes, limitBytes);
          await rename(unfinished, entry).catch(ignoreExisting);
          await markUsed(entry);
        });
      } finally {
        await rm(unfinished, { recursive: true, force: true });
      }
      return await act(entry);
    },
  };
}

function hiddenPath(root: string): string {
  return path.join(root, `${HIDDEN}${randomUUID()}`);
}

async function markUsed(entry: string): Promise<boolean> {
  const now = new Date();
  return await utimes(entry, now, now).then(
    () => true,
    (error: unknown) => {
      ignoreMissing(error);
      return false;
    },
  );
}

/** Another process may evict the entry meanwhile. */
async function measure(entry: string): Promise<{ bytes: number; changedMs: number }> {
  const names = (await readdir(entry).catch(ignoreMissing)) ?? [];
  const files = await Promise.all([".", ...names].map((name) => stat(path.join(entry, name)).catch(ignoreMissing)));
  const found = files.filter((file) => file !== undefined);
  return {
    bytes: found.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0),
    changedMs: Math.max(0, ...found.map(({ mtimeMs }) => mtimeMs)),
  };
}

/** Files, which are not entries, are from an earlier version's cache. */
async function removeLeftovers(root: string): Promise<void> {
  const oldestMs = Date.now() - LEFTOVER_MS;
  for (const found of await readdir(root, { withFileTypes: true })) {
    const entry = path.join(root, found.name);
    const isDead = found.name.startsWith(HIDDEN) && (await measure(entry)).changedMs < oldestMs;
    if (isDead || !found.isDirectory()) await rm(entry, { recursive: true, force: true });
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, "EEXIST", "ENOTEMPTY")) throw error;
}
