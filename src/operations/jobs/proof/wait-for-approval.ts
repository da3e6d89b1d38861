import { sql, type Transaction } from "kysely";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import type { ProofState } from "#contract/jobs/jobs.ts";
import { parseSampleRows } from "#contract/jobs/rows.ts";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { Context } from "../../context.ts";
import { isWanted } from "../../outgoing/write-event.ts";
import { writeJobEvent } from "../../outgoing/write-job-event.ts";
import type { LockedJob } from "../lock-job.ts";
import { setJobStatus } from "../set-job-status.ts";

/** Requires the job's lock. No task is in the queue then, so the job's workers are free. */
export async function waitForApproval(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  job: LockedJob,
): Promise<void> {
  // All samples may have failed before one was claimed.
  if (job.status === "Queued") {
    await setJobStatus(context, trx, job, "Processing", {
      processing_started_at: sql<string>`now()`,
      current_video: 1,
    });
  }
  const { isWanted: isEventWanted } = await trx
    .updateTable("jobs")
    .set({
      proof_state: "waiting",
      awaiting_since: sql<string>`now()`,
      progress: sql<number>`greatest(progress, progress_of_job(${job.id}))`,
      ...UNMEASURED,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", job.id)
    .returning(isWanted("job.proof_ready").as("isWanted"))
    .executeTakeFirstOrThrow();
  if (isEventWanted) await writeJobEvent(context, trx, "job.proof_ready", job.id);
}

/** True until the samples are approved, and after a stop. */
export function isOnlySamples({ proof_state: state }: { proof_state: ProofState | null }): boolean {
  return state !== null && state !== "approved";
}

export function isProofOpen({ proof_state: state }: { proof_state: ProofState | null }): boolean {
  return state === "making" || state === "waiting";
}

/** A speed measured before a pause predicts nothing. */
export const UNMEASURED = { speed: null, speed_measured_at: null, speed_measured_progress: null } as const;

type ProofSettings = Pick<JobSettings, "proof_count" | "proof_pick" | "proof_rows">;

/**
 * Returns variants by video position; empty without a proof. Prefers different videos, then their next variants.
 * `variants` has each video's count; `seed` makes the random choice repeatable, so that a changed job shows the same
 * videos again. Pure.
 */
export function chooseSamples(
  settings: ProofSettings,
  variants: readonly number[],
  seed: string,
): ReadonlyMap<number, number[]> {
  const samples = new Map<number, number[]>();
  const positions = orderPositions(settings, variants.length, seed);
  const mostVariants = positions.reduce((most, position) => Math.max(most, variants[position]!), 0);
  let left = settings.proof_count;
  for (let variant = 0; variant < mostVariants && left > 0; variant += 1) {
    for (const position of positions) {
      if (left === 0) break;
      if (variant >= variants[position]!) continue;
      samples.set(position, [...(samples.get(position) ?? []), variant]);
      left -= 1;
    }
  }
  return samples;
}

function orderPositions({ proof_pick: pick, proof_rows: rows }: ProofSettings, videos: number, seed: string): number[] {
  const all = Array.from({ length: videos }, (_, position) => position);
  switch (pick) {
    case "first":
      return all;
    case "random":
      return all
        .map((position) => ({ position, place: sha256Of(`${seed} ${position}`) }))
        .toSorted((a, b) => (a.place < b.place ? -1 : 1))
        .map(({ position }) => position);
    case "rows":
      return (parseSampleRows(rows ?? "") ?? []).map((row) => row - 1).filter((position) => position < videos);
  }
}
