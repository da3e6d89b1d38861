import type { DashboardStats } from "#contract/calls.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";

type Activity = Pick<DashboardStats, "processing" | "awaitingApproval" | "queued" | "cancelling">;

/** Includes Cancelling jobs and jobs awaiting approval. */
export function countActive({
  processing,
  queued,
  cancelling,
}: Pick<Activity, "processing" | "queued" | "cancelling">): number {
  return processing + queued + cancelling;
}

/** Returns non-zero counts: ["2 processing", "1 queued"]. */
export function describeActiveJobs({ processing, awaitingApproval, queued, cancelling }: Activity): string[] {
  const running = processing - awaitingApproval;
  const parts = [
    running > 0 && `${running} processing`,
    awaitingApproval > 0 && `${awaitingApproval} ${awaitingApproval === 1 ? "needs" : "need"} approval`,
    queued > 0 && `${queued} queued`,
    cancelling > 0 && `${cancelling} cancelling`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts : ["none processing or queued"];
}

/** Announces no start if jobs cannot start (`isHeldUp`). */
export function describeActivity({ processing, awaitingApproval, queued }: Activity, isHeldUp: boolean): string {
  const activity = describeRunning(processing - awaitingApproval, queued, isHeldUp);
  if (awaitingApproval === 0) return activity;
  return `${activity} ${pluralize(awaitingApproval, "job needs", "jobs need")} approval.`;
}

function describeRunning(processing: number, queued: number, isHeldUp: boolean): string {
  if (processing === 0 && queued === 0) {
    return isHeldUp ? "Nothing is processing." : "Nothing is processing. Videos you add start right away.";
  }
  const running = `${pluralize(processing, "job is", "jobs are")} processing`;
  if (queued === 0) return `${running}.`;
  const waiting =
    processing === 0
      ? pluralize(queued, "job is waiting", "jobs are waiting")
      : `${running} and ${queued} ${queued === 1 ? "is" : "are"} waiting`;
  return isHeldUp ? `${waiting}.` : `${waiting}. The next one starts as soon as a slot is free.`;
}
