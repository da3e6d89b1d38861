import { sql } from "kysely";
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

/** Records a file that is in storage. */
export async function completeOutput(context: Pick<Context, "db">, output: CompletedOutput): Promise<void> {
  await context.db
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
    .where("status", "in", ["Queued", "Processing"])
    .execute();
}
