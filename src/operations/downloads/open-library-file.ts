import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import type { Download } from "./download.ts";
import { mediaType } from "./media-type.ts";
import { openStored } from "./open-stored.ts";

/** Throws ClipmillError "not_found". */
export async function openLibraryFile(context: Pick<Context, "db" | "storage">, id: string): Promise<Download> {
  const file = await context.db
    .selectFrom("library_files")
    .select(["name", "kind", "storage_key"])
    .where("id", "=", id)
    .where("stored_at", "is not", null)
    .executeTakeFirst();
  const details = { fileName: file?.name ?? "", type: file ? mediaType(file) : "", version: id };
  return openStored(context.storage, file?.storage_key, details);
}

/** Throws ClipmillError "not_found". */
export async function openLibraryThumbnail(context: Pick<Context, "db">, id: string): Promise<Download> {
  const found = await context.db
    .selectFrom("library_thumbnails")
    .innerJoin("library_files", "id", "file_id")
    .select(["picture", "kind"])
    .where("file_id", "=", id)
    .executeTakeFirst();
  const picture = found?.picture;
  if (!picture) throw new ClipmillError("not_found", "This file no longer exists.");
  const format = found.kind === "image" ? "png" : "jpeg";
  return {
    fileName: `thumbnail.${format}`,
    type: `image/${format}`,
    sizeBytes: picture.length,
    etag: `"${id}"`,
    storageKey: null,
    async *read({ start, end }) {
      yield picture.subarray(start, end + 1);
    },
  };
}
