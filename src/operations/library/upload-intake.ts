import { mkdir, rm } from "node:fs/promises";
import type { MediaUse } from "#contract/library.ts";
import type { Probe } from "#media/probe/probe.ts";
import type { Context } from "../context.ts";
import type { UploadInProgress } from "./admit-upload.ts";
import type { DrawThumbnail } from "./draw-thumbnail.ts";
import type { ResumableUploads } from "./resumable/resumable-uploads.ts";

export type UploadIntake = {
  /** For single-request uploads; never read as finished files. */
  folder: string;
  resumable: ResumableUploads;
  underWay: Set<UploadInProgress>;
  /** Throws ClipmillError if the file cannot be used. */
  probe(path: string, options: { use: MediaUse; signal: AbortSignal }): Promise<Probe>;
  drawThumbnail: DrawThumbnail;
  /** Returns a small PNG. Throws ClipmillError if the image cannot be used. */
  drawImageThumbnail(path: string, signal: AbortSignal): Promise<Uint8Array>;
};

/** Another server may still be storing younger files. */
const LEFTOVER_MS = 24 * 3_600_000;

/**
 * Empties the folder, whose uploads cannot be resumed, and removes files that a killed server left half stored.
 * `isSole`: no other server uses the library.
 */
export async function prepareIntake(
  context: Pick<Context, "db" | "storage">,
  folder: string,
  isSole: boolean,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const newest = isSole ? Date.now() : Date.now() - LEFTOVER_MS;
  const halfStored = await context.db
    .selectFrom("library_files")
    .select(["id", "storage_key"])
    .where("stored_at", "is", null)
    .where("created_at", "<=", new Date(newest).toISOString())
    .execute();
  for (const { id, storage_key: key } of halfStored) {
    await context.storage.removeAll(key);
    await context.db.deleteFrom("library_files").where("id", "=", id).execute();
  }
}
