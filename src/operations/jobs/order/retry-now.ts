import type { Transaction } from "kysely";
import type { RetryNowResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { tryNow } from "../../hosts/try-now.ts";
import { findFailed, requeueFailed, retryUntilRequeued, type VideoSelection } from "../videos/requeue-failed.ts";
import { lockJob } from "../lock-job.ts";

const NOT_FOUND = "The job does not exist.";
const CANCELLED = "The job was canceled. Rerun it instead.";
const ON_HOLD = "The job is on hold. Release it first.";
const NOTHING_TO_RETRY = "None of these videos have failed or are waiting to be retried.";

/** Also retries waiting videos. Returns errors instead of throwing. */
export async function retryNow(
  context: Pick<Context, "db" | "queue"> & ActorContext,
  jobId: string,
  which: VideoSelection,
): Promise<RetryNowResponse> {
  try {
    await retryUntilRequeued(() => context.db.transaction().execute((trx) => retry(context, trx, jobId, which)));
    return { success: true };
  } catch (error) {
    if (error instanceof ClipmillError && error.code === "conflict") return { success: false, error: error.message };
    throw error;
  }
}

async function retry(
  context: Pick<Context, "queue"> & ActorContext,
  trx: Transaction<Tables>,
  jobId: string,
  which: VideoSelection,
): Promise<boolean> {
  const job = await lockJob(trx, jobId);
  if (!job) throw errorOf(NOT_FOUND);
  if (job.status === "Cancelling" || job.status === "Cancelled") throw errorOf(CANCELLED);
  const failed = await findFailed(trx, jobId, which);
  const waiting = await findWaiting(trx, jobId, which);
  if (failed.length + waiting.length === 0) throw errorOf(NOTHING_TO_RETRY);
  if (failed.length === 0 && job.held_at !== null) throw errorOf(ON_HOLD);
  if (failed.length > 0 && !(await requeueFailed(context, trx, job, failed))) return false;
  if (job.held_at === null) await tryNow(context, trx, "videos", waiting);
  await writeAudit(trx, context.actor, { action: "job.retry-now", subjects: [jobId] });
  return true;
}

function findWaiting(trx: Transaction<Tables>, jobId: string, { videoId, reason }: VideoSelection) {
  return trx
    .selectFrom("job_videos")
    .select(["id", "waits_for"])
    .where("job_id", "=", jobId)
    .where("status", "=", "Queued")
    .where("waiting_since", "is not", null)
    .$if(videoId !== undefined, (query) => query.where("id", "=", videoId!))
    .$if(reason !== undefined, (query) => query.where("error_message", "=", reason!))
    .execute();
}

function errorOf(sentence: string): ClipmillError {
  return new ClipmillError("conflict", sentence);
}
