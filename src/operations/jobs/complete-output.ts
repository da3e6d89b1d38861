import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

export type CompletedOutput = {
  id: string;
  storageKey: string;
  thumbnailKey: string;
  durationSeconds: number;
  width: number;
  height: number;
  sizeBytes: number;
  crc32: number;
};

/**
 * Records a file that is in storage. Returns false, changing nothing, when it comes too late: a later attempt has the video,
 * or the video has ended. Said twice it is true twice, the second time however late.
 */
export function completeOutput(
  context: Pick<Context, "db">,
  speaker: { videoId: string; attempt: number },
  output: CompletedOutput,
): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const speaks = await trx
      .selectFrom("job_videos")
      .select("id")
      .where("id", "=", speaker.videoId)
      .where("attempts", "=", speaker.attempt)
      .where("status", "=", "Processing")
      // The next attempt begins after this, and finds the file.
      .forShare()
      .executeTakeFirst();
    if (!speaks) return isRecorded(trx, output);
    const { numUpdatedRows } = await trx
      .updateTable("job_outputs")
      .set({
        status: "Completed",
        progress: 100,
        storage_key: output.storageKey,
        thumbnail_key: output.thumbnailKey,
        duration_seconds: output.durationSeconds,
        width: output.width,
        height: output.height,
        size_bytes: output.sizeBytes,
        crc32: output.crc32,
        error_message: null,
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", output.id)
      .where((eb) => eb.or([eb("status", "in", ["Queued", "Processing"]), eb("storage_key", "=", output.storageKey)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

async function isRecorded(trx: Transaction<Tables>, { id, storageKey }: CompletedOutput): Promise<boolean> {
  const recorded = await trx
    .selectFrom("job_outputs")
    .select("id")
    .where("id", "=", id)
    .where("storage_key", "=", storageKey)
    .executeTakeFirst();
  return recorded !== undefined;
}
