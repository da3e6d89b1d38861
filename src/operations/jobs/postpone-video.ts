import { sql } from "kysely";
import type { Context } from "../context.ts";
import { lockJob } from "./set-job-status.ts";

/**
 * Hands a video back to the queue after a fault that may pass; the reason stays readable until the next attempt.
 * Returns false, changing nothing, when there is nothing to wait for: the job is being cancelled, or a later attempt
 * has taken over.
 */
export function postponeVideo(
  context: Pick<Context, "db">,
  video: { jobId: string; videoId: string; attempt: number },
  reason: string,
): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, video.jobId);
    if (job?.status !== "Processing") return false;
    const postponed = await trx
      .updateTable("job_videos")
      .set({ status: "Queued", stage: null, progress: 0, error_message: reason, updated_at: sql<string>`now()` })
      .where("id", "=", video.videoId)
      .where("attempts", "=", video.attempt)
      // Queued by the same attempt when it says so once more, because the answer was lost.
      .where("status", "in", ["Processing", "Queued"])
      .returning("id")
      .executeTakeFirst();
    if (!postponed) return false;
    await trx
      .updateTable("job_outputs")
      .set({ status: "Queued", progress: 0, updated_at: sql<string>`now()` })
      .where("video_id", "=", video.videoId)
      .where("status", "=", "Processing")
      .execute();
    return true;
  });
}
