import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Storage } from "./storage.ts";

/**
 * For files that are read once. A bucket's file is downloaded to `copy`, which disposing removes: the copies of
 * `toLocalFile` stay for hours and could fill the disk. Throws what `read` throws, the system's error on a full disk,
 * and an AbortError.
 */
export async function openLocally(
  storage: Storage,
  key: string,
  { copy, signal }: { copy: string; signal: AbortSignal },
): Promise<AsyncDisposable & { path: string }> {
  if (!storage.addresses) return { path: await storage.toLocalFile(key), [Symbol.asyncDispose]: async () => {} };
  const remove = () => rm(copy, { force: true });
  try {
    await pipeline(await storage.read(key), createWriteStream(copy), { signal });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path: copy, [Symbol.asyncDispose]: remove };
}
