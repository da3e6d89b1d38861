import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { isFinal, type WholeJob } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { readJob } from "./read/read-job.ts";
import { findFailed, requeueFailed, retryUntilRequeued } from "./videos/requeue-failed.ts";
import { lockJob } from "./lock-job.ts";

const STILL_RUNNING = "The job is still running. You can retry failed videos when it ends.";
const NOTHING_FAILED = "Nothing failed in this job.";

/**
 * Requeues failed videos and those with failed files. Throws ClipmillError "not_found", or "conflict" if there is
 * nothing to retry.
 */
export async function retryJob(
  context: Pick<Context, "db" | "queue" | "links"> & ActorContext,
  jobId: string,
): Promise<WholeJob> {
  await retryUntilRequeued(() => context.db.transaction().execute((trx) => retry(context, trx, jobId)));
  const job = await readJob(context, jobId);
  if (!job) throw notFound();
  return job;
}

async function retry(
  context: Pick<Context, "queue"> & ActorContext,
  trx: Transaction<Tables>,
  jobId: string,
): Promise<boolean> {
  const job = await lockJob(trx, jobId);
  if (!job) throw notFound();
  if (!isFinal(job.status)) throw new ClipmillError("conflict", STILL_RUNNING);
  const failed = job.status === "Cancelled" ? [] : await findFailed(trx, jobId);
  if (failed.length === 0) throw new ClipmillError("conflict", NOTHING_FAILED);
  if (!(await requeueFailed(context, trx, job, failed))) return false;
  await writeAudit(trx, context.actor, { action: "job.retry", subjects: [jobId] });
  return true;
}

function notFound(): ClipmillError {
  return new ClipmillError("not_found", "The job does not exist.");
}
