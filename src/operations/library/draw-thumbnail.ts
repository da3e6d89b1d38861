import path from "node:path";
import { sql } from "kysely";
import { openLocally } from "#storage/open-locally.ts";
import type { Context } from "../context.ts";

/** Null without a picture, as for music. Rejects only when aborted. */
export type DrawThumbnail = (path: string, signal: AbortSignal) => Promise<Uint8Array | null>;

/** Does nothing if another server was first. */
export async function keepThumbnail(
  { db }: Pick<Context, "db">,
  fileId: string,
  picture: Uint8Array | null,
): Promise<void> {
  await db
    .insertInto("library_thumbnails")
    // One statement: a file deleted meanwhile is no error.
    .columns(["file_id", "picture"])
    .expression((from) =>
      from
        .selectFrom("library_files")
        .select(["id", sql<Uint8Array | null>`${picture}::bytea`.as("picture")])
        .where("id", "=", fileId),
    )
    .onConflict((row) => row.doNothing())
    .execute();
}

/** For files from older versions or backups. `folder` is for temporary files. */
export async function drawMissingThumbnails(
  context: Pick<Context, "db" | "storage">,
  draw: DrawThumbnail,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<void> {
  const files = await context.db
    .selectFrom("library_files")
    .leftJoin("library_thumbnails", "file_id", "id")
    .select(["id", "storage_key"])
    .where("kind", "=", "video")
    .where("stored_at", "is not", null)
    .where("file_id", "is", null)
    .execute();
  const copy = path.join(folder, "source");
  signal.throwIfAborted();
  for (const { id, storage_key: key } of files) {
    // Deleted or lost: nothing to draw.
    await using file = await openLocally(context.storage, key, { copy, signal }).catch(() => null);
    signal.throwIfAborted();
    if (file !== null) await keepThumbnail(context, id, await draw(file.path, signal));
  }
}
