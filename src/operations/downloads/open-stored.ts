import { ClipmillError } from "#contract/errors.ts";
import type { ByteRange, Storage } from "#storage/storage.ts";
import type { Download } from "./download.ts";

/** `version` changes with the file's bytes. Throws ClipmillError "not_found". */
export async function openStored(
  storage: Storage,
  key: string | null | undefined,
  details: { fileName: string; type: string; version: string },
): Promise<Download> {
  const sizeBytes = key ? await storage.sizeOf(key) : null;
  if (!key || sizeBytes === null) throw new ClipmillError("not_found", "This file no longer exists.");
  const { fileName, type, version } = details;
  return {
    fileName,
    type,
    sizeBytes,
    etag: `"${version}-${sizeBytes.toString(16)}"`,
    storageKey: key,
    read: (range) => readStored(storage, key, range),
  };
}

async function* readStored(storage: Storage, key: string, range: ByteRange): AsyncGenerator<Uint8Array> {
  yield* await storage.read(key, range);
}
