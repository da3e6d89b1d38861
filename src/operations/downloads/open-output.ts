import { ClipmillError } from "#contract/errors.ts";
import { cleanFileName } from "#storage/clean-name.ts";
import type { ByteRange, Storage } from "#storage/storage.ts";
import type { Context } from "../context.ts";
import type { Download } from "./download.ts";

/** One finished output's film. Throws ClipmillError "not_found". */
export async function openOutput(context: Pick<Context, "db" | "storage">, outputId: string): Promise<Download> {
  const output = await context.db
    .selectFrom("job_outputs")
    .select(["name", "storage_key", "crc32"])
    .where("id", "=", outputId)
    .executeTakeFirst();
  const fileName = cleanFileName(output?.name ?? "", "output.mp4");
  return openStored(context.storage, output?.storage_key, { fileName, type: "video/mp4", version: output?.crc32 });
}

/** One finished output's picture. Throws ClipmillError "not_found". */
export async function openThumbnail(context: Pick<Context, "db" | "storage">, outputId: string): Promise<Download> {
  const output = await context.db
    .selectFrom("job_outputs")
    .select(["thumbnail_key", "crc32"])
    .where("id", "=", outputId)
    .executeTakeFirst();
  const details = { fileName: "thumbnail.jpg", type: "image/jpeg", version: output?.crc32 };
  return openStored(context.storage, output?.thumbnail_key, details);
}

async function openStored(
  storage: Storage,
  key: string | null | undefined,
  details: { fileName: string; type: string; version: number | null | undefined },
): Promise<Download> {
  const sizeBytes = key ? await storage.sizeOf(key) : null;
  if (!key || sizeBytes === null) throw new ClipmillError("not_found", "This file does not exist any more.");
  const { fileName, type, version } = details;
  return {
    fileName,
    type,
    sizeBytes,
    etag: `"${(version ?? 0).toString(16)}-${sizeBytes.toString(16)}"`,
    storageKey: key,
    read: (range) => readStored(storage, key, range),
  };
}

async function* readStored(storage: Storage, key: string, range: ByteRange): AsyncGenerator<Uint8Array> {
  yield* await storage.read(key, range);
}
