import { type RawBuilder, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { ALREADY_FINISHED, isFinal, type WholeJob } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { type LockedJob, lockJob } from "../lock-job.ts";
import { readJob } from "../read/read-job.ts";

const NOT_FOUND = "The job does not exist.";
const STOPPING = "The job is being canceled.";

type Change = (
  trx: Transaction<Tables>,
  job: LockedJob,
  /** All of the job's: the queue determines which ones wait. */
  videoIds: string[],
) => Promise<{ start_tag?: number; held_at?: RawBuilder<string> | null } | null>;

/**
 * Locks the job, as every claim does. Null from `change` leaves the row unchanged. Throws ClipmillError "not_found" or
 * "conflict".
 */
async function changeWaitingJob(
  context: Pick<Context, "db" | "links"> & ActorContext,
  jobId: string,
  action: string,
  change: Change,
): Promise<WholeJob> {
  await context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    if (!job) throw new ClipmillError("not_found", NOT_FOUND);
    if (isFinal(job.status)) throw new ClipmillError("conflict", ALREADY_FINISHED);
    if (job.status === "Cancelling") throw new ClipmillError("conflict", STOPPING);
    const videos = await trx.selectFrom("job_videos").select("id").where("job_id", "=", jobId).execute();
    const changes = await change(
      trx,
      job,
      videos.map((video) => video.id),
    );
    if (changes === null) return;
    await trx
      .updateTable("jobs")
      .set({ ...changes, updated_at: sql<string>`now()` })
      .where("id", "=", jobId)
      .execute();
    await writeAudit(trx, context.actor, { action, subjects: [jobId] });
  });
  const job = await readJob(context, jobId);
  if (!job) throw new ClipmillError("not_found", NOT_FOUND);
  return job;
}

const ON_HOLD = "The job is on hold. Release it first.";
const NOTHING_WAITS = "None of this job's videos are waiting.";

/** Moves waiting videos to the front. Throws ClipmillError "not_found", or "conflict" if nothing can be moved. */
export function bumpJob(
  context: Pick<Context, "db" | "queue" | "links"> & ActorContext,
  jobId: string,
): Promise<WholeJob> {
  return changeWaitingJob(context, jobId, "job.bump", async (trx, job, videoIds) => {
    if (job.held_at !== null) throw new ClipmillError("conflict", ON_HOLD);
    // A tag per video, all lower than any before. The row lock orders concurrent bumps.
    const { front_tag: front } = await trx
      .updateTable("queue_clock")
      .set({ front_tag: sql<number>`front_tag - ${job.total_videos}::int` })
      .returning("front_tag")
      .executeTakeFirstOrThrow();
    const moved = await context.queue.videos.move(trx, videoIds, front);
    if (moved === 0) throw new ClipmillError("conflict", NOTHING_WAITS);
    return { start_tag: front };
  });
}

/**
 * Waiting videos do not start until a release, even after a restart or retry; running videos finish. Idempotent. Throws
 * like changeWaitingJob.
 */
export function holdJob(
  context: Pick<Context, "db" | "queue" | "links"> & ActorContext,
  jobId: string,
): Promise<WholeJob> {
  return changeWaitingJob(context, jobId, "job.hold", async (trx, job, videoIds) => {
    if (job.held_at !== null) return null;
    await context.queue.videos.hold(trx, videoIds);
    return { held_at: sql<string>`now()` };
  });
}

/** Queues the job as if it arrived now, or first if it was bumped. Idempotent. Throws like changeWaitingJob. */
export function releaseJob(
  context: Pick<Context, "db" | "queue" | "links"> & ActorContext,
  jobId: string,
): Promise<WholeJob> {
  return changeWaitingJob(context, jobId, "job.release", async (trx, job, videoIds) => {
    if (job.held_at === null) return null;
    const clock = await trx.selectFrom("queue_clock").select("virtual_time").executeTakeFirstOrThrow();
    // Time on hold does not count as waiting for a host.
    await trx
      .updateTable("job_videos")
      .set({ waiting_since: sql<string>`now()` })
      .where("job_id", "=", jobId)
      .where("status", "=", "Queued")
      .where("waiting_since", "is not", null)
      .execute();
    const lowest = await context.queue.videos.release(trx, videoIds, clock.virtual_time);
    return { held_at: null, ...(lowest !== null && { start_tag: lowest }) };
  });
}
