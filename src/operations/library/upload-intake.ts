/** Where uploads arrive, and what looks at them before they are taken into the library. */
import { mkdir, rm } from "node:fs/promises";
import type { UploadUse } from "#contract/library.ts";
import type { Probe } from "#media/probe/probe.ts";
import type { Context } from "../context.ts";
import type { UploadUnderWay } from "./admit-upload.ts";
import type { DrawThumbnail } from "./draw-thumbnail.ts";

export type UploadIntake = {
  /** Files on their way; nothing in it is ever read as a finished one. */
  folder: string;
  mostBytes: number;
  /** Empty at first. */
  underWay: Set<UploadUnderWay>;
  /** Says what a file holds, or throws ClipmillError with why it cannot be used. */
  probe(path: string, options: { use: UploadUse; signal: AbortSignal }): Promise<Probe>;
  drawThumbnail: DrawThumbnail;
};

/** What another server may still be storing is younger. */
const LEFTOVER_MS = 24 * 3_600_000;

/**
 * Makes the folder for uploads on their way, which is this server's own, and empties it: an upload cannot be gone on with. Also
 * removes what a killed server left half stored in the library. `isSole`: no other server uses the library, so that everything
 * half stored is a leftover.
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
