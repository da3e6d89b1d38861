import path from "node:path";
import { openFolderStorage } from "./folder-storage.ts";
import type { S3Location } from "./s3/s3-location.ts";
import type { Storage } from "./storage.ts";

/** Opens STORAGE_URL's bucket, or a folder in `dataDir`. Throws ClipmillError if the bucket is unusable. */
export async function openStorage(location: S3Location | undefined, dataDir: string): Promise<Storage> {
  if (!location) return await openFolderStorage(path.join(dataDir, "files"));
  // Loaded on demand, because the client is large.
  const { openS3Storage } = await import("./s3/s3-storage.ts");
  return await openS3Storage(location, path.join(dataDir, "cache/storage"));
}
