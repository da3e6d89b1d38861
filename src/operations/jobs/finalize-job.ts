import { sql, type Transaction } from "kysely";
import { CANCELLED_BY_USER } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import { inSpan } from "#ground/tracing/tracing.ts";
import type { Context } from "../context.ts";
import { startDeliveries } from "../deliveries/start-deliveries.ts";
import { NO_FAILURE } from "./failures/failure-columns.ts";
import { makeLinks } from "./links/make-links.ts";
import { deleteKeptFiles } from "./proof/kept-files.ts";
import { isProofOpen, waitForApproval } from "./proof/wait-for-approval.ts";
import { type LockedJob, requireAlone } from "./lock-job.ts";
import { setJobStatus } from "./set-job-status.ts";

export const CANCELLED_VIDEO = {
  ...NO_FAILURE,
  status: "Cancelled",
  stage: null,
  ended_at: sql<string>`now()`,
  updated_at: sql<string>`now()`,
} as const;

/**
 * Before the last video ends, only advances current_video, and waits for approval once a proof's samples have ended.
 * Then Cancelling becomes Cancelled; with a completed output, Completed (error_message lists the failures), and
 * deliveries start; else Failed. Requires the job's lock.
 */
export function finalizeJob(context: Pick<Context, "queue">, trx: Transaction<Tables>, job: LockedJob): Promise<void> {
  requireAlone(job);
  return inSpan("finalize", () => finalize(context, trx, job), { job_id: job.id });
}

async function finalize(context: Pick<Context, "queue">, trx: Transaction<Tables>, job: LockedJob): Promise<void> {
  const { open } = await trx
    .selectFrom("job_videos")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("job_id", "=", job.id)
    .where("status", "in", ["Queued", "Processing"])
    .executeTakeFirstOrThrow();
  const currentVideo = Math.min(job.total_videos - open + 1, job.total_videos);
  const isDeciding = isProofOpen(job) && job.status !== "Cancelling";
  if (open > 0 || isDeciding) {
    await trx
      .updateTable("jobs")
      // While a job is being canceled, this is when that started.
      .set({ current_video: currentVideo, ...(job.status !== "Cancelling" && { updated_at: sql<string>`now()` }) })
      .where("id", "=", job.id)
      .execute();
    if (isDeciding && job.proof_state === "making" && !(await isSampling(trx, job.id)))
      await waitForApproval(context, trx, job);
    return;
  }
  await deleteKeptFiles(trx, job.id);
  await sql`select add_to_search(${job.id}, true)`.execute(trx);
  if (job.status === "Cancelling") {
    await trx
      .updateTable("job_outputs")
      .set({ status: "Cancelled", updated_at: sql<string>`now()` })
      .where("job_id", "=", job.id)
      .where("status", "in", ["Queued", "Processing"])
      .execute();
    await setJobStatus(context, trx, job, "Cancelled", { error_message: CANCELLED_BY_USER });
    return;
  }
  const { files } = await trx
    .selectFrom("job_outputs")
    .select((eb) => eb.fn.countAll<number>().as("files"))
    .where("job_id", "=", job.id)
    .where("status", "=", "Completed")
    .executeTakeFirstOrThrow();
  const failed = await trx
    .selectFrom("job_videos")
    .select(["position", "status", "error_message"])
    .where("job_id", "=", job.id)
    .where("status", "=", "Failed")
    .orderBy("position")
    .execute();
  const isStopped = job.proof_state === "stopped";
  const messages = [isStopped ? STOPPED : null, describeFailures(failed, job.total_videos, files)];
  const message = messages.filter((one) => one !== null).join(" ") || null;
  const details = { error_message: message, current_video: currentVideo };
  if (files === 0) return await setJobStatus(context, trx, job, "Failed", details);
  await makeLinks(trx, job.id);
  await setJobStatus(context, trx, job, "Completed", { ...details, ...(!isStopped && { progress: 100 }) });
  // Samples that were not approved are not delivered.
  if (!isStopped) await startDeliveries(context, trx, job.id);
}

const STOPPED = "The job was stopped after its samples.";
/** The job's page shows all reasons. */
const MAX_NAMED = 3;

async function isSampling(trx: Transaction<Tables>, jobId: string): Promise<boolean> {
  const video = await trx
    .selectFrom("job_videos")
    .select("id")
    .where("job_id", "=", jobId)
    .where("status", "in", ["Queued", "Processing"])
    .where("proof_variants", "is not", null)
    .where("samples_ended_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return video !== undefined;
}

function describeFailures(
  failed: { position: number; error_message: string | null }[],
  videos: number,
  files: number,
): string | null {
  if (failed.length === 0) return null;
  if (videos === 1) return failed[0]!.error_message;
  const named = failed
    .slice(0, MAX_NAMED)
    .map((video) => `Video ${video.position + 1}: ${video.error_message ?? "No reason was recorded."}`);
  const more = failed.length > MAX_NAMED ? ` And ${failed.length - MAX_NAMED} more.` : "";
  const ready = files === 0 ? "" : files === 1 ? "; 1 file is ready" : `; ${files} files are ready`;
  return `${failed.length} of ${videos} videos failed${ready}. ${named.join(" ")}${more}`;
}
