import { randomUUID } from "node:crypto";
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { measure, type Measured } from "#ground/checksum.ts";
import { explainFullDisk } from "#ground/disk-space.ts";
import { hasCode, isMissing } from "#ground/error-code.ts";
import { makeFolderSynced, syncFile, syncFolder } from "#ground/sync-files.ts";
import type { S3Location } from "./s3/s3-location.ts";
import { type ByteRange, fileNotFound, localFileMissing, partsOfKey, requireRange, type Storage } from "./storage.ts";

/** Opens STORAGE_URL's bucket, or a folder in `dataDir`. Throws ClipmillError if the bucket is unusable. */
export async function openStorage(location: S3Location | undefined, dataDir: string): Promise<Storage> {
  if (!location) return await openFolderStorage(path.join(dataDir, "files"));
  // Loaded on demand, because the client is large.
  const { openS3Storage } = await import("./s3/s3-storage.ts");
  return await openS3Storage(location, path.join(dataDir, "cache/storage"));
}

/** No key matches this folder: no part of a key starts with a dot. */
const INCOMING = ".incoming";
const LEFTOVER_HOURS = 24;

/** Opens or creates `root`, and removes copies that a crash left over a day ago. Safe for several processes. */
export async function openFolderStorage(root: string): Promise<Storage> {
  const incoming = path.resolve(root, INCOMING);
  await mkdir(incoming, { recursive: true });
  await removeLeftovers(incoming);
  const pathOf = (key: string) => path.resolve(root, ...partsOfKey(key));

  return {
    async put(key, fromPath, { signal, measured = null } = {}) {
      const target = pathOf(key);
      signal?.throwIfAborted();
      try {
        await makeFolderSynced(path.dirname(target));
        return await moveIn(fromPath, { target, incoming, measured });
      } catch (error) {
        throw explainDiskError(error, key);
      }
    },
    async read(key, range) {
      return await openForReading(pathOf(key), key, range);
    },
    async sizeOf(key) {
      return await sizeOfFile(pathOf(key));
    },
    async toLocalFile(key) {
      const file = pathOf(key);
      if ((await sizeOfFile(file)) === null) throw fileNotFound(key);
      return file;
    },
    async removeAll(prefix) {
      await rm(pathOf(prefix), { recursive: true, force: true });
    },
  };
}

async function moveIn(
  fromPath: string,
  { target, incoming, measured }: { target: string; incoming: string; measured: Measured | null },
): Promise<Measured> {
  const stored = await syncMeasured(fromPath, measured);
  try {
    await rename(fromPath, target);
  } catch (error) {
    if (!hasCode(error, "EXDEV")) throw error;
    await moveAcrossDevices(fromPath, target, path.join(incoming, randomUUID()));
  }
  await syncFolder(path.dirname(target));
  return stored;
}

async function syncMeasured(file: string, measured: Measured | null): Promise<Measured> {
  await using handle = await open(file, "r+");
  const stored = measured ?? (await measure(handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>));
  await handle.sync();
  return stored;
}

async function moveAcrossDevices(fromPath: string, target: string, temporary: string): Promise<void> {
  try {
    await copyFile(fromPath, temporary);
    await syncFile(temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await rm(fromPath, { force: true });
}

async function openForReading(file: string, key: string, range: ByteRange | undefined) {
  requireRange(range, key);
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    throw isMissing(error) ? fileNotFound(key) : error;
  }
  if (!(await handle.stat()).isFile()) {
    await handle.close();
    throw fileNotFound(key);
  }
  return handle.createReadStream(range);
}

async function sizeOfFile(file: string): Promise<number | null> {
  try {
    const found = await stat(file);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function removeLeftovers(incoming: string): Promise<void> {
  const oldest = Date.now() - LEFTOVER_HOURS * 3_600_000;
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name);
    // Another process may have finished with it.
    const found = await stat(file).catch(() => null);
    if (found && found.mtimeMs < oldest) await rm(file, { force: true });
  }
}

function explainDiskError(error: unknown, key: string): unknown {
  if (isMissing(error)) return localFileMissing(key, error);
  return explainFullDisk(error, "The disk for finished files is full. Free some space, then retry.", { key });
}
