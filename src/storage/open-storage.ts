import path from "node:path";
import { openFolderStorage } from "./folder-storage.ts";
import type { S3Location } from "./s3/s3-location.ts";
import type { Storage } from "./storage.ts";

/**
 * Opens where finished files live: the bucket that STORAGE_URL names, or a folder in `dataDir`. Throws ClipmillError when the
 * bucket cannot be used.
 */
export async function openStorage(location: S3Location | undefined, dataDir: string): Promise<Storage> {
  if (!location) return await openFolderStorage(path.join(dataDir, "files"));
  // The client is large: who keeps files in a folder does not load it.
  const { openS3Storage } = await import("./s3/s3-storage.ts");
  return await openS3Storage(location, path.join(dataDir, "cache/storage"));
}
