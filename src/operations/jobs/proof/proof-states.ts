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
