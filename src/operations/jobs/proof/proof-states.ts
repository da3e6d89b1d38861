import { sql } from "kysely";
import type { ProofState } from "#contract/jobs/jobs.ts";

/** Returns whether the job makes nothing but its samples: until their approval, and after a stop. */
export function isOnlySamples({ proof_state: state }: { proof_state: ProofState | null }): boolean {
  return state !== null && state !== "approved";
}

/** Returns whether a decision about the samples is still to come: they are being made, or wait for approval. */
export function isProofOpen({ proof_state: state }: { proof_state: ProofState | null }): boolean {
  return state === "making" || state === "waiting";
}

/** The measured speed of a job that has not run for a while does not predict anything. */
export const UNMEASURED = { speed: null, speed_measured_at: null, speed_measured_progress: null } as const;

/** A job's progress by its videos' lengths; a video of unknown length weighs as much as the average of the others. */
export const progressOfVideos = (jobId: string) => sql<number>`(
  select coalesce(sum(weight * progress) / nullif(sum(weight), 0), 0) from (
    select progress, coalesce(duration_seconds, avg(duration_seconds) over (), 1) as weight
    from job_videos where job_id = ${jobId}
  ) videos)`;
