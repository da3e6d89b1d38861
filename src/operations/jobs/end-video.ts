import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { finaliseJob } from "./finalise-job.ts";
import { type LockedJob, lockJob } from "./set-job-status.ts";

/** `reasons` are those of single outputs, by id; the others of a failed video have its own reason. */
export type VideoEnd =
  | { status: "Completed" }
  | { status: "Cancelled" }
  | { status: "Failed"; reason: string; reasons?: ReadonlyMap<string, string> };

type Video = { jobId: string; videoId: string };

/**
 * Ends a video and, with the last one, its job: one transaction. Returns false and
 * changes nothing when the video has already ended or a later attempt has taken over.
 */
export function endVideo(
  context: Pick<Context, "db">,
  attemptRef: Video & { attempt: number },
  end: VideoEnd,
): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, attemptRef.jobId);
    return job !== null && (await endLocked(trx, job, attemptRef, end));
  });
}

/**
 * Fails a video whose last attempt was cut off with its worker, whatever the number of that attempt. Returns false and changes
 * nothing when the video has ended or was retried since: this may be reported again long afterwards.
 */
export function endLostVideo(context: Pick<Context, "db" | "queue">, lost: Video, reason: string): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    // While its job is locked, the video cannot be retried.
    const job = await lockJob(trx, lost.jobId);
    if (!job || (await context.queue.videos.isOpen(trx, lost.videoId))) return false;
    return endLocked(trx, job, { ...lost, attempt: null }, { status: "Failed", reason });
  });
}

/** `attempt` is null for the last one, whatever it was. */
async function endLocked(
  trx: Transaction<Tables>,
  job: LockedJob,
  { videoId, attempt }: { videoId: string; attempt: number | null },
  end: VideoEnd,
): Promise<boolean> {
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
    .where("id", "=", videoId)
    .where("status", "in", ["Queued", "Processing"])
    // Tried again it is Queued under the number of the attempt that ended it, until somebody claims it.
    .$if(attempt !== null, (query) => query.where("attempts", "=", attempt!).where("status", "=", "Processing"))
    .returning("id")
    .executeTakeFirst();
  if (!video) return false;
  const failOutputs = (message: string | null) =>
    trx
      .updateTable("job_outputs")
      .set({
        status: status === "Completed" ? "Failed" : status,
        error_message: message,
        updated_at: sql<string>`now()`,
      })
      .where("video_id", "=", videoId)
      .where("status", "in", ["Queued", "Processing"]);
  const own = status === "Failed" && end.status === "Failed" ? (end.reasons ?? new Map<string, string>()) : new Map();
  for (const [message, entries] of Map.groupBy(own, ([, message]) => message)) {
    const ids = entries.map(([id]) => id);
    await failOutputs(message)
      .where("id", "=", sql<string>`any(${ids}::uuid[])`)
      .execute();
  }
  await failOutputs(reason).execute();
  await finaliseJob(trx, job);
  return true;
}
