import type { Job, PgBoss } from "pg-boss";
import { MAX_RETRIES } from "#contract/jobs/jobs.ts";
import type { GrowingPause } from "./faults/growing-pause.ts";
import type { HeldClaims } from "./claims/hold-claims.ts";
import type { DueTasks } from "./claims/watch-due-tasks.ts";
import type { TaskSlots } from "./slots/task-slots.ts";
import { failAttempt, settleUntilTaken } from "./claims/settle-claims.ts";
import type { Claimed, Numbering } from "./task-kinds.ts";
import { undoClaim } from "./task-table.ts";

export type ClaimedTask<Task> = Pick<Job<Task>, "id" | "data" | "retryCount">;

export type QueueCore = {
  boss: PgBoss;
  claims: HeldClaims;
  stopping: AbortSignal;
  working: Set<TaskSlots>;
  due: DueTasks;
  onError: (fault: Error) => void;
};

/**
 * Runs `handle` while renewing the lease, then completes the task, fails the attempt if `handle` rejects, or undoes the
 * claim if work stops. Rejects if that cannot be stored. `pause` is the slot's; it grows while leases cannot be
 * renewed.
 */
export async function runClaim<Task extends Numbering>(
  { boss, claims, stopping, onError }: QueueCore,
  queue: string,
  { task, pause }: { task: ClaimedTask<Task>; pause: GrowingPause },
  handle: (task: Claimed<Task>) => Promise<void>,
): Promise<void> {
  const ref = { queue, id: task.id, retryCount: task.retryCount };
  const claim = claims.hold(ref);
  const signal = AbortSignal.any([claim.signal, stopping]);
  const { attemptsBefore = 0, handedBack = 0 } = task.data;
  const attempt = task.retryCount + 1 - handedBack;
  const untilTaken = { signal: AbortSignal.any([claim.signal, stopping]), onError };
  try {
    // A task can be fetched while work is stopping.
    signal.throwIfAborted();
    await handle({ ...task.data, attempt: attemptsBefore + attempt, isRetried: attempt <= MAX_RETRIES, signal });
    await settleUntilTaken(() => boss.complete(queue, task), untilTaken);
    pause.reset();
  } catch (error) {
    // No effect if another worker has taken over.
    if (stopping.aborted || claim.signal.aborted) await undoClaim(boss.getDb(), ref);
    else {
      await settleUntilTaken(() => failAttempt(boss, ref, { error, attempt }), untilTaken);
      pause.reset();
    }
  } finally {
    claim.release();
    // Keeps an overloaded machine from reclaiming the same task forever; another machine may take it.
    if (claim.isGivenUp()) {
      onError(new Error(`A claim could not be renewed; this slot is paused for ${pause.nextMs() / 1_000} s.`));
      await pause.wait(stopping);
    }
  }
}

export function countEarlierClaims({ attemptsBefore = 0, handedBack = 0 }: Numbering, attempt: number): number {
  return attempt - 1 - attemptsBefore + handedBack;
}
