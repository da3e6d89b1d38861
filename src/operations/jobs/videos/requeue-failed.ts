import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { isFinal } from "#contract/jobs/jobs.ts";
import { parseWorkerLabels } from "#contract/jobs/worker-labels.ts";
import type { Tables } from "#database/tables.ts";
import type { ForgottenClaims } from "#queue/task-table.ts";
import type { Context } from "../../context.ts";
import { NOT_WAITING } from "../../hosts/find-cooldown.ts";
import { NO_FAILURE } from "../failures/failure-columns.ts";
import type { LockedJob } from "../lock-job.ts";
import { leaveWaiting } from "../proof/leave-waiting.ts";
import { setJobStatus } from "../set-job-status.ts";

/** A task briefly keeps its row after its video has ended. */
const MAX_WAIT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

const FILES_DELETED = "This job's files were deleted when their retention period ended. Rerun the job instead.";
const STILL_ENDING = "The job has just ended. Try again in a moment.";

/** Repeats until no task is still ending. Throws ClipmillError "conflict" after 5 s. */
export async function retryUntilRequeued(requeue: () => Promise<boolean>, sentence = STILL_ENDING): Promise<void> {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  while (!(await requeue())) {
    if (performance.now() > deadlineMs) throw new ClipmillError("conflict", sentence);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/** Without either, selects all videos. */
export type VideoSelection = { videoId?: string | undefined; reason?: string | undefined };

/**
 * An ended job becomes Queued. Returns false and changes nothing if a task is still ending. Throws ClipmillError
 * "conflict" if finished files were deleted. Requires the job's lock.
 */
export async function requeueFailed(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  job: LockedJob,
  failed: { id: string; attempts: number }[],
): Promise<boolean> {
  await requireFiles(trx, job.id);
  await holdSources(trx, job.id);
  const videoIds = failed.map((video) => video.id);
  const forgotten = await context.queue.videos.forget(trx, videoIds);
  if (!forgotten) return false;
  const isOne = sql<string>`any(${videoIds}::uuid[])`;
  const queued = { status: "Queued", progress: 0, ...NO_FAILURE, updated_at: sql<string>`now()` } as const;
  await trx
    .updateTable("job_videos")
    .set({ ...queued, ...NOT_WAITING, ended_at: null })
    .where("id", "=", isOne)
    .execute();
  await trx
    .updateTable("job_outputs")
    .set(queued)
    .where("video_id", "=", isOne)
    .where("status", "=", "Failed")
    .execute();
  if (job.proof_state === "waiting") await leaveWaiting(trx, job, "making");
  const now = await enqueueVideos(context, trx, job.id, failed, forgotten);
  if (isFinal(job.status)) {
    const share = 1 - failed.length / job.total_videos;
    await setJobStatus(context, trx, job, "Queued", {
      error_message: null,
      progress: Math.round(share * 1_000) / 10,
      current_video: null,
      processing_started_at: null,
      awaited_seconds: 0,
      awaiting_since: null,
      start_tag: now,
    });
  }
  return true;
}

/** Includes ended videos with failed files. */
export function findFailed(
  trx: Transaction<Tables>,
  jobId: string,
  { videoId, reason }: VideoSelection = {},
): Promise<{ id: string; attempts: number }[]> {
  return trx
    .selectFrom("job_videos")
    .select(["id", "attempts"])
    .where("job_id", "=", jobId)
    .where("status", "in", ["Failed", "Completed"])
    .$if(videoId !== undefined, (query) => query.where("id", "=", videoId!))
    .$if(reason !== undefined, (query) => query.where("error_message", "=", reason!))
    .where((eb) =>
      eb.or([
        eb("status", "=", "Failed"),
        eb.exists(
          eb
            .selectFrom("job_outputs")
            .select("job_outputs.id")
            .whereRef("job_outputs.video_id", "=", "job_videos.id")
            .where("job_outputs.status", "=", "Failed"),
        ),
      ]),
    )
    .orderBy("position")
    .execute();
}

/** The retried files alone would look like the complete job. */
async function requireFiles(trx: Transaction<Tables>, jobId: string): Promise<void> {
  const job = await trx.selectFrom("jobs").select("files_deleted_at").where("id", "=", jobId).executeTakeFirst();
  if (job?.files_deleted_at) throw new ClipmillError("conflict", FILES_DELETED);
}

/** An ended job's source files may be deleted meanwhile. */
async function holdSources(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await trx
    .selectFrom("library_files")
    .innerJoin("library_uses", "library_uses.file_id", "library_files.id")
    .select("library_files.id")
    .where("library_uses.job_id", "=", jobId)
    // A fixed order prevents deadlocks.
    .orderBy("library_files.id")
    .forShare("library_files")
    .execute();
}

/**
 * Queues videos in order, as if they arrived now; on hold if the job is. `forgotten` holds their earlier tasks. Returns
 * the first start tag. Requires the lock of an existing job.
 */
export async function enqueueVideos(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  jobId: string,
  videos: readonly { id: string; attempts: number }[],
  forgotten?: ForgottenClaims,
): Promise<number> {
  const { now, isHeld, labels } = await trx
    .selectFrom(["jobs", "queue_clock"])
    .select(["virtual_time as now", sql<boolean>`held_at is not null`.as("isHeld")])
    .select(sql<string | null>`settings->>'worker_labels'`.as("labels"))
    .where("jobs.id", "=", jobId)
    .executeTakeFirstOrThrow();
  const needed = parseWorkerLabels(labels ?? "") ?? [];
  const tasks = videos.map(({ id, attempts }, place) => ({
    videoId: id,
    jobId,
    startTag: now + place,
    ...(attempts > 0 && { attemptsBefore: attempts }),
    ...(needed.length > 0 && { labels: needed }),
  }));
  await context.queue.videos.enqueue(trx, tasks, { isHeld, ...(forgotten && { after: forgotten }) });
  return now;
}
