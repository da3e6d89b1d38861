import { sql, type Transaction } from "kysely";
import type { CancelJobResponse } from "#contract/calls.ts";
import { ALREADY_FINISHED, isFinal } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import { inParts } from "#ground/give-way.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { CANCELLED_VIDEO, finalizeJob } from "./finalize-job.ts";
import { type LockedJob, lockJob, withJobAlone } from "./lock-job.ts";
import { setJobStatus } from "./set-job-status.ts";

/** The payload is the job's id. */
export const CANCEL_CHANNEL = "clipmill_cancel";

const STILL_STOPPING = "The job is stopping. It will be canceled when its worker responds.";
const NOT_FOUND = "The job does not exist.";
const MAX_WAIT_MS = 15_000;
const POLL_INTERVAL_MS = 50;
/** Keeps short what the server does for one statement without a pause. */
const VIDEOS_PER_STATEMENT = 300;

/**
 * A running job's workers are notified. Responds after storing the final state. Returns errors instead of throwing
 * (DESIGN section 5).
 */
export async function cancelJob(
  context: Pick<Context, "db" | "queue"> & ActorContext,
  jobId: string,
): Promise<CancelJobResponse> {
  switch (await startCancelling(context, jobId)) {
    case "not found":
      return { success: false, error: NOT_FOUND };
    case "finished":
      return { success: false, error: ALREADY_FINISHED };
    case "cancelled":
      return { success: true };
    case "stopping":
      return waitUntilCancelled(context, jobId);
  }
}

type CancelStart = "not found" | "finished" | "cancelled" | "stopping";

/** Ends the job unless workers have videos of it; they are notified. */
export function startCancelling(
  context: Pick<Context, "db" | "queue"> & ActorContext,
  jobId: string,
): Promise<CancelStart> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    if (!job) return "not found";
    if (isFinal(job.status)) return "finished";
    if (job.status !== "Cancelling") {
      await setJobStatus(context, trx, job, "Cancelling");
      await writeAudit(trx, context.actor, { action: "job.cancel", subjects: [jobId] });
    }
    await cancelRest(context, trx, job);
    await sql`select pg_notify(${CANCEL_CHANNEL}, ${jobId})`.execute(trx);
    const { status } = await trx.selectFrom("jobs").select("status").where("id", "=", jobId).executeTakeFirstOrThrow();
    return status === "Cancelled" ? "cancelled" : "stopping";
  });
}

/** Ends the videos that no worker has. */
async function cancelRest(context: Pick<Context, "queue">, trx: Transaction<Tables>, job: LockedJob): Promise<void> {
  const videos = await trx.selectFrom("job_videos").select("id").where("job_id", "=", job.id).execute();
  const ids = videos.map((video) => video.id);
  for await (const some of inParts(ids, VIDEOS_PER_STATEMENT)) await cancelVideos(context, trx, some);
  await finalizeJob(context, trx, { ...job, status: "Cancelling" });
}

/**
 * Takes videos of a job that is being canceled or has ended from workers that do not stop. `takeBack` makes them wait;
 * no worker might ever claim them to end them.
 */
export function cancelWithoutWorkers(
  context: Pick<Context, "db" | "queue">,
  jobId: string,
  takeBack: (trx: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  return withJobAlone(context.db, jobId, async (trx, job) => {
    await takeBack(trx);
    if (job?.status === "Cancelling") await cancelRest(context, trx, job);
  });
}

async function cancelVideos(context: Pick<Context, "queue">, trx: Transaction<Tables>, ids: string[]): Promise<void> {
  // Includes Processing videos of stopped or killed workers: no worker might ever claim them to end them.
  const waiting = await context.queue.videos.cancelWaiting(trx, ids);
  const ended = await trx
    .updateTable("job_videos")
    .set(CANCELLED_VIDEO)
    .where("id", "=", sql<string>`any(${ids}::uuid[])`)
    .where((eb) =>
      eb.or([
        eb("status", "=", "Queued"),
        eb.and([eb("status", "=", "Processing"), eb("id", "=", sql<string>`any(${waiting}::uuid[])`)]),
      ]),
    )
    .returning("id")
    .execute();
  await context.queue.videos.cancel(
    trx,
    ended.map((video) => video.id),
  );
}

async function waitUntilCancelled(context: Pick<Context, "db">, jobId: string): Promise<CancelJobResponse> {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  while (performance.now() < deadlineMs) {
    const job = await context.db.selectFrom("jobs").select("status").where("id", "=", jobId).executeTakeFirst();
    if (job?.status === "Cancelled") return { success: true };
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  return { success: false, error: STILL_STOPPING };
}

/** Returns the tasks whose job is being cancelled, has ended, or was deleted. */
export async function findTasksOfStoppedJobs<Task extends { jobId: string }>(
  context: Pick<Context, "db">,
  tasks: readonly Task[],
): Promise<Set<Task>> {
  const running = await context.db
    .selectFrom("jobs")
    .select("id")
    .where(
      "id",
      "in",
      tasks.map(({ jobId }) => jobId),
    )
    .where("status", "in", ["Queued", "Processing"])
    .execute();
  const ids = new Set(running.map(({ id }) => id));
  return new Set(tasks.filter(({ jobId }) => !ids.has(jobId)));
}
