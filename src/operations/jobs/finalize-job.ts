import { type Selectable, sql, type Transaction } from "kysely";
import { CANCELLED_BY_USER } from "#contract/jobs/jobs.ts";
import type { JobVideosTable, Tables } from "#database/tables.ts";
import { describeFailures } from "./failures/describe-failures.ts";
import { NO_FAILURE } from "./failures/failure-columns.ts";
import { deleteKeptFiles } from "./proof/kept-files.ts";
import { isProofOpen } from "./proof/proof-states.ts";
import { waitForApproval } from "./proof/wait-for-approval.ts";
import { type LockedJob, setJobStatus } from "./set-job-status.ts";

/** The columns of a video that ends without a result because its job was cancelled. */
export const CANCELLED_VIDEO = {
  ...NO_FAILURE,
  status: "Cancelled",
  stage: null,
  ended_at: sql<string>`now()`,
  updated_at: sql<string>`now()`,
} as const;

/**
 * Ends a locked job with its last video; until then only advances current_video, and waits for approval once the samples
 * of a proof have ended. Cancelling becomes Cancelled; with at least one output Completed (error_message lists the
 * failures); else Failed.
 */
export async function finalizeJob(trx: Transaction<Tables>, job: LockedJob): Promise<void> {
  const videos = await trx
    .selectFrom("job_videos")
    .select(["position", "status", "error_message", "proof_variants", "samples_ended_at"])
    .where("job_id", "=", job.id)
    .orderBy("position")
    .execute();
  const ended = videos.filter((video) => video.status !== "Queued" && video.status !== "Processing").length;
  const currentVideo = Math.min(ended + 1, job.total_videos);
  const waitsForApproval = isProofOpen(job) && job.status !== "Cancelling";
  if (ended < videos.length || waitsForApproval) {
    await trx
      .updateTable("jobs")
      .set({ current_video: currentVideo, updated_at: sql<string>`now()` })
      .where("id", "=", job.id)
      .execute();
    if (waitsForApproval && job.proof_state === "making" && !videos.some(isSampling)) await waitForApproval(trx, job);
    return;
  }
  await deleteKeptFiles(trx, job.id);
  if (job.status === "Cancelling") {
    await trx
      .updateTable("job_outputs")
      .set({ status: "Cancelled", updated_at: sql<string>`now()` })
      .where("job_id", "=", job.id)
      .where("status", "in", ["Queued", "Processing"])
      .execute();
    await setJobStatus(trx, job, "Cancelled", { error_message: CANCELLED_BY_USER });
    return;
  }
  const { files } = await trx
    .selectFrom("job_outputs")
    .select((eb) => eb.fn.countAll<number>().as("files"))
    .where("job_id", "=", job.id)
    .where("status", "=", "Completed")
    .executeTakeFirstOrThrow();
  const failed = videos.filter((video) => video.status === "Failed");
  const isStopped = job.proof_state === "stopped";
  const sentences = [isStopped ? STOPPED : null, describeFailures(failed, videos.length, files)];
  const sentence = sentences.filter((one) => one !== null).join(" ") || null;
  const details = { error_message: sentence, current_video: currentVideo };
  if (files > 0) await setJobStatus(trx, job, "Completed", { ...details, ...(!isStopped && { progress: 100 }) });
  else await setJobStatus(trx, job, "Failed", details);
}

const STOPPED = "The job was stopped after its samples.";

type ProofVideo = Pick<Selectable<JobVideosTable>, "status" | "proof_variants" | "samples_ended_at">;

/** Returns whether samples of the video are still to come. */
function isSampling({ status, proof_variants: variants, samples_ended_at: endedAt }: ProofVideo): boolean {
  return variants !== null && endedAt === null && (status === "Queued" || status === "Processing");
}
