import { sql } from "kysely";
import type { Context } from "../context.ts";

export type PlannedOutput = {
  variant: number;
  segment: number;
  name: string;
  caption: string | null;
  track: string | null;
};

/** An output still to be made, with the id of its row. */
export type PendingOutput = PlannedOutput & { id: string };

/**
 * Writes the outputs a video will have, and the facts of its source. Files stored by an earlier attempt stay as they
 * are; what is returned is what is left to make. Null when a later attempt has taken over.
 */
export function planOutputs(
  context: Pick<Context, "db">,
  video: { jobId: string; videoId: string; attempt: number; name: string; durationSeconds: number },
  outputs: PlannedOutput[],
): Promise<PendingOutput[] | null> {
  return context.db.transaction().execute(async (trx) => {
    const claimed = await trx
      .updateTable("job_videos")
      .set({
        name: video.name,
        duration_seconds: video.durationSeconds,
        stage: "Rendering",
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", video.videoId)
      .where("attempts", "=", video.attempt)
      .where("status", "=", "Processing")
      .returning("id")
      .executeTakeFirst();
    if (!claimed) return null;
    const rows = await trx
      .insertInto("job_outputs")
      .values(outputs.map((output) => ({ ...output, job_id: video.jobId, video_id: video.videoId })))
      .onConflict((row) =>
        row.columns(["video_id", "variant", "segment"]).doUpdateSet({ updated_at: sql<string>`now()` }),
      )
      .returning(["id", "variant", "segment", "name", "caption", "track", "status"])
      .execute();
    return rows.filter((row) => row.status !== "Completed");
  });
}
