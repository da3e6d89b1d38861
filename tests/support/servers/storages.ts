import { readdir } from "node:fs/promises";
import path from "node:path";
import { openFolderStorage } from "#storage/open-storage.ts";
import type { Storage } from "#storage/storage.ts";
import { sharedBucketFor } from "./shared-servers.ts";

export type TestStorage = {
  storage: Storage;
  /** Bypasses the storage API. */
  list(folder: string): Promise<string[]>;
  close(): Promise<void>;
};

export type OpenTestStorage = (folder: string) => Promise<TestStorage>;

/** Opens a folder, or a prefix of the shared bucket. */
export const openTestStorage: OpenTestStorage = (folder) => {
  const url = sharedBucketFor();
  return url === null ? openTestFolderStorage(folder) : openSharedBucket(url, folder);
};

export const openTestFolderStorage: OpenTestStorage = async (folder) => {
  const root = path.join(folder, "files");
  return {
    storage: await openFolderStorage(root),
    list: (below) => readdir(path.join(root, below)).catch(() => []),
    close: async () => {},
  };
};

const openTestBucket: OpenTestStorage = async (folder) => {
  // Loaded on demand, because most tests do not need them.
  const { startS3Server } = await import("../twins/s3-server.ts");
  const { openS3Storage } = await import("#storage/s3/s3-storage.ts");
  const server = await startS3Server();
  try {
    const storage = await openS3Storage(server.location, path.join(folder, "copies"));
    return { storage, list: (below) => server.list(below), close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
};

async function openSharedBucket(url: string, folder: string): Promise<TestStorage> {
  const { ListObjectsV2Command } = await import("@aws-sdk/client-s3");
  const { readS3Location } = await import("#storage/s3/s3-location.ts");
  const { openS3Storage } = await import("#storage/s3/s3-storage.ts");
  const { makeS3Store, S3_LIMITS } = await import("#storage/s3/s3-store.ts");
  const location = readS3Location(url);
  if ("problem" in location) throw new Error(`TEST_STORAGE ${location.problem}.`);
  const { client } = makeS3Store(location, S3_LIMITS);
  return {
    storage: await openS3Storage(location, path.join(folder, "copies")),
    async list(below) {
      const Prefix = `${location.prefix}/${below}/`;
      const found = await client.send(new ListObjectsV2Command({ Bucket: location.bucket, Prefix, Delimiter: "/" }));
      return (found.Contents ?? []).map(({ Key }) => Key!.slice(Prefix.length));
    },
    close: async () => client.destroy(),
  };
}

export const STORAGES: { kind: string; openStorage: OpenTestStorage }[] = [
  { kind: "a folder", openStorage: openTestFolderStorage },
  { kind: "a bucket", openStorage: openTestBucket },
];
