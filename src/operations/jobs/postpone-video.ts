import { sql } from "kysely";
import type { Context } from "../context.ts";

/** Hands a video back to the queue after a fault that may pass; the reason stays readable until the next attempt. */
export async function postponeVideo(
  context: Pick<Context, "db">,
  video: { videoId: string; attempt: number },
  reason: string,
): Promise<void> {
  await context.db
    .updateTable("job_videos")
    .set({ status: "Queued", stage: null, progress: 0, error_message: reason, updated_at: sql<string>`now()` })
    .where("id", "=", video.videoId)
    .where("attempts", "=", video.attempt)
    .where("status", "=", "Processing")
    .execute();
}
