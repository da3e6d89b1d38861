/** Both kinds of storage, for tests of what has to be the same on each. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { openFolderStorage } from "#storage/folder-storage.ts";
import type { Storage } from "#storage/storage.ts";

export type TestStorage = {
  storage: Storage;
  /** Names of the files in a folder of it, past the storage itself. */
  list(folder: string): Promise<string[]>;
  close(): Promise<void>;
};

/** Opens a storage with a folder of the test to use. */
export type OpenTestStorage = (folder: string) => Promise<TestStorage>;

export const openTestFolder: OpenTestStorage = async (folder) => {
  const root = path.join(folder, "files");
  return {
    storage: await openFolderStorage(root),
    list: (below) => readdir(path.join(root, below)).catch(() => []),
    close: async () => {},
  };
};

const openTestBucket: OpenTestStorage = async (folder) => {
  // Loaded by the tests that want them alone.
  const { startS3Server } = await import("./s3-server.ts");
  const { openS3Storage } = await import("#storage/s3-storage.ts");
  const server = await startS3Server();
  try {
    const storage = await openS3Storage(server.location, path.join(folder, "copies"));
    return { storage, list: (below) => server.list(below), close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
};

export const STORAGES: { kind: string; openStorage: OpenTestStorage }[] = [
  { kind: "a folder", openStorage: openTestFolder },
  { kind: "a bucket", openStorage: openTestBucket },
];
