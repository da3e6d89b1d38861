import { sql } from "kysely";
import type { Context } from "../context.ts";
import { finaliseJob } from "./finalise-job.ts";
import { lockJob } from "./set-job-status.ts";

export type VideoEnd = { status: "Completed" } | { status: "Cancelled" } | { status: "Failed"; reason: string };

/** Which attempt speaks; null for the lost-task handler, which speaks for the last attempt, whatever it was. */
type Speaker = { jobId: string; videoId: string; attempt: number | null };

/**
 * Ends a video and, with the last one, its job: one transaction. Returns false, changing nothing, when the video has
 * already ended or a later attempt has taken over.
 */
export function endVideo(context: Pick<Context, "db">, speaker: Speaker, end: VideoEnd): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, speaker.jobId);
    if (!job) return false;
    const isCancelled = job.status === "Cancelling";
    const status = isCancelled ? "Cancelled" : end.status;
    const reason = !isCancelled && end.status === "Failed" ? end.reason : null;
    const video = await trx
      .updateTable("job_videos")
      .set({
        status,
        stage: null,
        error_message: reason,
        ended_at: sql<string>`now()`,
        updated_at: sql<string>`now()`,
        ...(status === "Completed" && { progress: 100 }),
      })
      .where("id", "=", speaker.videoId)
      .where("status", "in", ["Queued", "Processing"])
      // Tried again it is Queued under the number of the attempt that ended it, until somebody claims it.
      .$if(speaker.attempt !== null, (query) =>
        query.where("attempts", "=", speaker.attempt!).where("status", "=", "Processing"),
      )
      .returning("id")
      .executeTakeFirst();
    if (!video) return false;
    await trx
      .updateTable("job_outputs")
      .set({
        status: status === "Completed" ? "Failed" : status,
        error_message: reason,
        updated_at: sql<string>`now()`,
      })
      .where("video_id", "=", speaker.videoId)
      .where("status", "in", ["Queued", "Processing"])
      .execute();
    await finaliseJob(trx, job);
    return true;
  });
}
