import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { isFinal, type Job } from "#contract/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { holdLibraryFiles } from "../library/hold-library-files.ts";
import { readJob } from "./read-job.ts";
import { lockJob, setJobStatus } from "./set-job-status.ts";

/** A task whose end is being written holds its place for a moment after its video has ended. */
const LONGEST_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 50;

const STILL_RUNNING = "The job is still running; what failed can be tried again once it has ended.";
const NOTHING_FAILED = "Nothing failed in this job.";
const FILES_DELETED = "The files of this job were deleted because they were old; run the job again instead.";
const STILL_ENDING = "The job has only just ended; please try again in a moment.";

/**
 * Has what failed in an ended job tried again: its failed videos, and the videos some of whose files failed. Finished
 * files stay. The job waits in the queue again. Throws ClipmillError "not_found", or "conflict" when there is nothing
 * to try.
 */
export async function retryJob(context: Pick<Context, "db" | "queue" | "links">, jobId: string): Promise<Job> {
  const deadlineMs = performance.now() + LONGEST_WAIT_MS;
  while (!(await context.db.transaction().execute((trx) => retry(context, trx, jobId)))) {
    if (performance.now() > deadlineMs) throw new ClipmillError("conflict", STILL_ENDING);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  const job = await readJob(context, jobId);
  if (!job) throw notFound();
  return job;
}

/** False when a task has not quite ended. */
async function retry(context: Pick<Context, "queue">, trx: Transaction<Tables>, jobId: string): Promise<boolean> {
  const job = await lockJob(trx, jobId);
  if (!job) throw notFound();
  if (!isFinal(job.status)) throw new ClipmillError("conflict", STILL_RUNNING);
  await requireFiles(trx, jobId);
  await holdSources(trx, jobId);
  const failed = job.status === "Cancelled" ? [] : await findFailed(trx, jobId);
  if (failed.length === 0) throw new ClipmillError("conflict", NOTHING_FAILED);
  const videoIds = failed.map((video) => video.id);
  const forgotten = await context.queue.forgetVideos(trx, videoIds);
  if (!forgotten) return false;
  await trx
    .updateTable("job_videos")
    .set({ status: "Queued", progress: 0, error_message: null, ended_at: null, updated_at: sql<string>`now()` })
    .where("id", "in", videoIds)
    .execute();
  await trx
    .updateTable("job_outputs")
    .set({ status: "Queued", progress: 0, error_message: null, updated_at: sql<string>`now()` })
    .where("video_id", "in", videoIds)
    .where("status", "=", "Failed")
    .execute();
  const { virtual_time: now } = await trx.selectFrom("queue_clock").select("virtual_time").executeTakeFirstOrThrow();
  const share = 1 - failed.length / job.total_videos;
  await setJobStatus(trx, job, "Queued", {
    error_message: null,
    progress: Math.round(share * 1_000) / 10,
    current_video: null,
    processing_started_at: null,
    start_tag: now,
  });
  const tasks = failed.map((video, i) => ({
    videoId: video.id,
    jobId,
    startTag: now + i,
    attemptsBefore: video.attempts,
  }));
  await context.queue.enqueueVideos(trx, tasks, { isHeld: job.held_at !== null, after: forgotten });
  return true;
}

function findFailed(trx: Transaction<Tables>, jobId: string): Promise<{ id: string; attempts: number }[]> {
  return trx
    .selectFrom("job_videos")
    .select(["id", "attempts"])
    .where("job_id", "=", jobId)
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

/** What is tried again joins the finished files; where those were deleted, it would stand alone for the whole. */
async function requireFiles(trx: Transaction<Tables>, jobId: string): Promise<void> {
  const job = await trx.selectFrom("jobs").select("files_deleted_at").where("id", "=", jobId).executeTakeFirst();
  if (job?.files_deleted_at) throw new ClipmillError("conflict", FILES_DELETED);
}

/** An ended job keeps nobody from deleting what it was made from; one that is tried again does. */
async function holdSources(trx: Transaction<Tables>, jobId: string): Promise<void> {
  const { input_videos: videos, custom_audio_links: tracks } = await trx
    .selectFrom("jobs")
    .select(["input_videos", "custom_audio_links"])
    .where("id", "=", jobId)
    .executeTakeFirstOrThrow();
  await holdLibraryFiles(trx, [...videos, ...tracks]);
}

function notFound(): ClipmillError {
  return new ClipmillError("not_found", "The job does not exist.");
}
