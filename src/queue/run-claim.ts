/** Runs one claim of a task until it is settled. */
import type { Job, PgBoss } from "pg-boss";
import { MAX_RETRIES } from "#contract/jobs/jobs.ts";
import type { GrowingPause } from "./faults/growing-pause.ts";
import type { HeldClaims } from "./claims/hold-claims.ts";
import { failAttempt, settleUntilTaken } from "./claims/settle-claims.ts";
import type { Claimed, Numbering } from "./task-kinds.ts";
import { undoClaim } from "./task-table.ts";

/** Shared by all queues of a process. */
export type QueueCore = {
  boss: PgBoss;
  claims: HeldClaims;
  /** Aborts when all work stops. */
  stopping: AbortSignal;
  onError: (fault: Error) => void;
};

/**
 * Runs `handle` for a claimed task while its lease is renewed. Then completes the task, fails the attempt if `handle`
 * rejects, or undoes the claim if the work stops. `pause` belongs to the slot and grows while its claims cannot be
 * renewed.
 */
export async function runClaim<Task extends Numbering>(
  { boss, claims, stopping, onError }: QueueCore,
  queue: string,
  { task, pause }: { task: Job<Task>; pause: GrowingPause },
  handle: (task: Claimed<Task>) => Promise<void>,
): Promise<void> {
  const ref = { queue, id: task.id, retryCount: task.retryCount };
  const claim = claims.hold(ref);
  const signal = AbortSignal.any([task.signal, claim.signal, stopping]);
  const { attemptsBefore = 0, handedBack = 0 } = task.data;
  const attempt = task.retryCount + 1 - handedBack;
  const untilTaken = { signal: AbortSignal.any([claim.signal, stopping]), onError };
  try {
    // A task can be fetched while the work is being stopped.
    signal.throwIfAborted();
    await handle({ ...task.data, attempt: attemptsBefore + attempt, isRetried: attempt <= MAX_RETRIES, signal });
    await settleUntilTaken(() => boss.complete(queue, task), untilTaken);
    pause.reset();
  } catch (error) {
    // No effect if another worker has the task by now.
    if (stopping.aborted || claim.signal.aborted) await undoClaim(boss.getDb(), ref);
    else {
      await settleUntilTaken(() => failAttempt(boss, ref, { error, attempt }), untilTaken);
      pause.reset();
    }
    throw error;
  } finally {
    claim.release();
    // Without a pause, an overloaded machine would reclaim the same task immediately and forever; another may take it
    // meanwhile.
    if (claim.isGivenUp()) {
      onError(new Error(`A claim could not be renewed; this slot is paused for ${pause.nextMs() / 1_000} s.`));
      await pause.wait(stopping);
    }
  }
}

/** Returns how many claims pg-boss counted before this attempt. */
export function claimsBefore({ attemptsBefore = 0, handedBack = 0 }: Numbering, attempt: number): number {
  return attempt - 1 - attemptsBefore + handedBack;
}
