import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { ALREADY_FINISHED, isFinal, type WholeJob } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { CANCELLED_VIDEO, finalizeJob } from "../finalize-job.ts";
import { type LockedJob, lockJob } from "../lock-job.ts";
import { readJob } from "../read/read-job.ts";
import { setJobStatus } from "../set-job-status.ts";
import { retryUntilRequeued } from "../videos/requeue-failed.ts";
import { leaveWaiting } from "./leave-waiting.ts";

const NOT_FOUND = "The job does not exist.";
const STOPPING = "The job is being canceled.";
const NO_PROOF = "This job is not waiting for approval.";
const APPROVED = "The samples were already approved.";
const NOT_READY = "The samples are still being made. Wait until they are ready, or cancel the job.";
const STILL_ENDING = "A sample has just ended. Try again in a moment.";

/** Returns false and changes nothing if a task is still ending. */
type Decision = (trx: Transaction<Tables>, job: LockedJob) => Promise<boolean>;

/**
 * Locks the job: of two concurrent decisions, the second is rejected. Throws ClipmillError "not_found" or "conflict".
 */
export async function decideProof(
  context: Pick<Context, "db" | "links"> & ActorContext,
  jobId: string,
  action: string,
  decide: Decision,
): Promise<WholeJob> {
  await retryUntilRequeued(
    () =>
      context.db.transaction().execute(async (trx) => {
        const job = await lockJob(trx, jobId);
        if (!job) throw new ClipmillError("not_found", NOT_FOUND);
        requireWaiting(job);
        if (!(await decide(trx, job))) return false;
        await writeAudit(trx, context.actor, { action, subjects: [jobId] });
        return true;
      }),
    STILL_ENDING,
  );
  const job = await readJob(context, jobId);
  if (!job) throw new ClipmillError("not_found", NOT_FOUND);
  return job;
}

function requireWaiting(job: LockedJob): void {
  if (isFinal(job.status)) throw new ClipmillError("conflict", ALREADY_FINISHED);
  if (job.status === "Cancelling") throw new ClipmillError("conflict", STOPPING);
  if (job.proof_state === "making") throw new ClipmillError("conflict", NOT_READY);
  if (job.proof_state === "approved") throw new ClipmillError("conflict", APPROVED);
  if (job.proof_state !== "waiting") throw new ClipmillError("conflict", NO_PROOF);
}

/** Completes the job with its samples, or cancels it without any. Throws like decideProof. */
export function stopProof(
  context: Pick<Context, "db" | "links" | "queue"> & ActorContext,
  jobId: string,
): Promise<WholeJob> {
  return decideProof(context, jobId, "job.stop", async (trx, job) => {
    await trx
      .updateTable("job_videos")
      .set(CANCELLED_VIDEO)
      .where("job_id", "=", jobId)
      .where("status", "=", "Queued")
      .execute();
    const stopped = await leaveWaiting(trx, job, "stopped");
    if (await hasFiles(trx, jobId)) {
      await finalizeJob(context, trx, stopped);
      return true;
    }
    await setJobStatus(context, trx, stopped, "Cancelling");
    await finalizeJob(context, trx, { ...stopped, status: "Cancelling" });
    return true;
  });
}

async function hasFiles(trx: Transaction<Tables>, jobId: string): Promise<boolean> {
  const file = await trx
    .selectFrom("job_outputs")
    .select("id")
    .where("job_id", "=", jobId)
    .where("status", "=", "Completed")
    .limit(1)
    .executeTakeFirst();
  return file !== undefined;
}
