import { sql } from "kysely";
import type { ProofState } from "#contract/jobs/jobs.ts";

/** True until the samples are approved, and after a stop. */
export function isOnlySamples({ proof_state: state }: { proof_state: ProofState | null }): boolean {
  return state !== null && state !== "approved";
}

export function isProofOpen({ proof_state: state }: { proof_state: ProofState | null }): boolean {
  return state === "making" || state === "waiting";
}

/** A speed measured before a pause predicts nothing. */
export const UNMEASURED = { speed: null, speed_measured_at: null, speed_measured_progress: null } as const;

/** Weighs videos by length; one of unknown length like the average of the others. */
export const progressOfVideos = (jobId: string) => sql<number>`(
  select coalesce(sum(weight * progress) / nullif(sum(weight), 0), 0) from (
    select progress, coalesce(duration_seconds, avg(duration_seconds) over (), 1) as weight
    from job_videos where job_id = ${jobId}
  ) videos)`;
