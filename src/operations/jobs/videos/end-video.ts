import { type Kysely, sql, type Transaction } from "kysely";
import type { Failure, FailureColumns } from "#contract/jobs/failures.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { NOT_WAITING } from "../../hosts/find-cooldown.ts";
import { failureColumns, NO_FAILURE } from "../failures/failure-columns.ts";
import { finalizeJob } from "../finalize-job.ts";
import { isProofOpen } from "../proof/wait-for-approval.ts";
import { type LockedJob, requireAlone, withJob, withJobAlone } from "../lock-job.ts";

/** `outputFailures` are by output id; other outputs get the video's failure. */
export type VideoEnd =
  | { status: "Completed" }
  /** A share (0-1) of all outputs is made; the others wait for approval. */
  | { status: "Sampled"; share: number }
  | { status: "Cancelled" }
  | { status: "Failed"; failure: Failure; outputFailures?: ReadonlyMap<string, Failure> };

/** For `endLostVideo`. */
export const WORKER_LOST: Failure = {
  code: "worker_lost",
  step: null,
  message: "The worker was killed during the last attempt at this video.",
  tail: null,
};

type Video = { jobId: string; videoId: string };

/**
 * Also ends the job with its last video. Returns false and changes nothing if the video has ended or a later attempt
 * has taken over. Videos do not wait for each other: while another open video has yet to begin its end, that one (or a
 * later one) ends the job.
 */
export async function endVideo(
  context: Pick<Context, "db" | "queue">,
  attemptRef: Video & { attempt: number },
  end: VideoEnd,
): Promise<boolean> {
  const endIn = async (trx: Transaction<Tables>, job: LockedJob | null) =>
    job !== null && (await endLocked(context, trx, job, { ...attemptRef, end }));
  if (!(await beginEnd(context.db, attemptRef))) return await withJobAlone(context.db, attemptRef.jobId, endIn);
  const hasEnded = await withJob(context.db, attemptRef.jobId, endIn);
  if (hasEnded) await countEnded(context.db, attemptRef.jobId);
  return hasEnded;
}

/**
 * Leaves the count to another video that has just reported: else each end would lock the job's row and wake all
 * listeners.
 */
async function countEnded(db: Kysely<Tables>, jobId: string): Promise<void> {
  await sql`select advance_job(${jobId}) where not exists (
    select from job_videos where job_id = ${jobId} and status = 'Processing' and progress > 0
      and updated_at > now() - interval '1 second')`.execute(db);
}

/**
 * Marks the attempt as ending, before its end checks for others. Returns true if another video has yet to begin its
 * end, as far as known now.
 */
async function beginEnd(
  db: Kysely<Tables>,
  { videoId, attempt }: { videoId: string; attempt: number },
): Promise<boolean> {
  const marked = await db
    .updateTable("job_videos")
    .set({ ending_attempt: attempt })
    .where("id", "=", videoId)
    .where("attempts", "=", attempt)
    .where("status", "=", "Processing")
    .returning([hasSuccessor.as("hasSuccessor"), COMMITS_LATER.as("committed")])
    .executeTakeFirst();
  return marked?.hasSuccessor ?? false;
}

/** Does not wait for the disk: the end that follows does. */
const COMMITS_LATER = sql`set_config('synchronous_commit', 'off', true)`;

/** Another video of the job has yet to begin its end. */
const hasSuccessor = sql<boolean>`exists (
  select from job_videos other where other.job_id = job_videos.job_id and other.id <> job_videos.id
    and (other.status = 'Queued'
      or other.status = 'Processing' and other.ending_attempt is distinct from other.attempts))`;

/**
 * Fails a video whose last attempt was lost with its worker. Returns false and changes nothing if it has ended or was
 * retried since: a loss may be reported again much later.
 */
export function endLostVideo(context: Pick<Context, "db" | "queue">, lost: Video, failure: Failure): Promise<boolean> {
  // The job's lock prevents a concurrent retry.
  return withJobAlone(context.db, lost.jobId, async (trx, job) => {
    if (!job || (await context.queue.videos.isOpen(trx, lost.videoId))) return false;
    return endLocked(context, trx, job, { ...lost, attempt: null, end: { status: "Failed", failure } });
  });
}

/** Returns a video to Queued, without a task, until the samples are approved. */
async function endSamples(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  job: LockedJob,
  { videoId, attempt, share }: { videoId: string; attempt: number | null; share: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("job_videos")
    .set({
      ...NO_FAILURE,
      ...NOT_WAITING,
      status: "Queued",
      stage: null,
      progress: Math.round(share * 1_000) / 10,
      samples_ended_at: sql<string>`now()`,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", videoId)
    .where("attempts", "=", attempt)
    .where("status", "=", "Processing")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await finalizeJob(context, trx, job);
  return true;
}

/** `attempt` is null for the last one, whatever its number. */
async function endLocked(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  job: LockedJob,
  { videoId, attempt, end }: { videoId: string; attempt: number | null; end: VideoEnd },
): Promise<boolean> {
  if (job.status !== "Processing" || isProofOpen(job)) requireAlone(job);
  const isCancelled = job.status === "Cancelling";
  if (end.status === "Sampled" && !isCancelled && isProofOpen(job)) {
    return endSamples(context, trx, job, { videoId, attempt, share: end.share });
  }
  const ended = end.status === "Sampled" ? "Completed" : end.status;
  const status = isCancelled ? "Cancelled" : ended;
  const failed = !isCancelled && end.status === "Failed" ? end : null;
  const columns = failed ? failureColumns(failed.failure) : NO_FAILURE;
  const video = await trx
    .updateTable("job_videos")
    .set({
      status,
      ...columns,
      stage: null,
      ended_at: sql<string>`now()`,
      updated_at: sql<string>`now()`,
      ...(status === "Completed" && { progress: 100 }),
    })
    .where("id", "=", videoId)
    .where("status", "in", ["Queued", "Processing"])
    // A retried video is Queued under the number of the attempt that ended it, until claimed.
    .$if(attempt !== null, (query) => query.where("attempts", "=", attempt!).where("status", "=", "Processing"))
    .returning(hasSuccessor.as("hasSuccessor"))
    .executeTakeFirst();
  if (!video) return false;
  if (!video.hasSuccessor) requireAlone(job);
  const failOutputs = (why: FailureColumns) =>
    trx
      .updateTable("job_outputs")
      .set({
        ...why,
        status: status === "Completed" ? "Failed" : status,
        updated_at: sql<string>`now()`,
      })
      .where("video_id", "=", videoId)
      .where("status", "in", ["Queued", "Processing"]);
  const byFailure = Map.groupBy(failed?.outputFailures ?? [], ([, failure]) => failure);
  for (const [failure, entries] of byFailure) {
    const ids = entries.map(([id]) => id);
    await failOutputs(failureColumns(failure))
      .where("id", "=", sql<string>`any(${ids}::uuid[])`)
      .execute();
  }
  // The tail is stored once, with the video, which may have ten thousand outputs.
  await failOutputs({ ...columns, error_tail: null }).execute();
  if (!job.isShared) await finalizeJob(context, trx, job);
  return true;
}
