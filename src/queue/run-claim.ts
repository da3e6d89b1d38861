import { setTimeout as delay } from "node:timers/promises";
import type { Job, PgBoss } from "pg-boss";
import { MAX_RETRIES } from "#contract/jobs/jobs.ts";
import { pauseAfter, retry } from "#ground/repeat.ts";
import type { HeldClaims } from "./claims/hold-claims.ts";
import type { DueTasks } from "./claims/watch-due-tasks.ts";
import type { TaskSlots } from "./slots/task-slots.ts";
import type { Tracing } from "#ground/tracing/tracing.ts";
import type { Claimed, Numbering, TaskKind } from "./task-kinds.ts";
import type { ClaimRef } from "./task-table.ts";
import { traceAttempt } from "./trace-attempt.ts";

/** `waitedMs` is the time since the task could have been claimed. */
export type ClaimedTask<Task> = Pick<Job<Task>, "id" | "data" | "retryCount"> & { waitedMs?: number };

/** No effect on claims that another worker has taken over. */
export type ClaimEnds = {
  complete(ref: ClaimRef): Promise<unknown>;
  /** `attempt` counts from 1. */
  fail(ref: ClaimRef, failed: { error: unknown; attempt: number }): Promise<unknown>;
  /** The attempt does not count. */
  undo(ref: ClaimRef): Promise<unknown>;
};

/** Dependencies of running a claim: on the database, or through a server. */
export type ClaimRunner = {
  claims: HeldClaims;
  ends: ClaimEnds;
  stopping: AbortSignal;
  tracing: Tracing | null;
  onError: (error: Error) => void;
};

export type QueueCore = ClaimRunner & {
  boss: PgBoss;
  working: Set<TaskSlots>;
  due: DueTasks;
  /** Null if claims cannot be lost. */
  leaseSeconds: number | null;
};

/** How often in a row its claims could not be renewed. */
export type Slot = { givenUp: number };

const SLOT_PAUSES = { firstMs: 1_000, mostMs: 60_000 };
/** Without a lease, an unsettled task stays claimed until the next start. */
const SETTLING_PAUSES = { firstMs: 500, mostMs: 500 };

/**
 * Runs `handle` while renewing the lease, then completes the task, fails the attempt if `handle` rejects, or undoes the
 * claim if work stops. Rejects if that cannot be stored.
 */
export async function runClaim<Task extends Numbering>(
  { claims, ends, stopping, tracing, onError }: ClaimRunner,
  kind: Pick<TaskKind<Task>, "queue" | "noun">,
  { task, slot }: { task: ClaimedTask<Task>; slot: Slot },
  handle: (task: Claimed<Task>) => Promise<void>,
): Promise<void> {
  const { queue } = kind;
  const ref = { queue, id: task.id, retryCount: task.retryCount };
  const claim = claims.hold(ref);
  const signal = AbortSignal.any([claim.signal, stopping]);
  const { attemptsBefore = 0, handedBack = 0 } = task.data;
  const attempt = task.retryCount + 1 - handedBack;
  // pg-boss's own attempt then has no effect.
  const settle = (act: () => Promise<unknown>) => retry(act, { ...SETTLING_PAUSES, signal, onError });
  try {
    // A task can be fetched while work is stopping.
    signal.throwIfAborted();
    const claimed = { ...task.data, attempt: attemptsBefore + attempt, isRetried: attempt <= MAX_RETRIES, signal };
    await traceAttempt(tracing, kind, { task, attempt: claimed.attempt }, () => handle(claimed));
    await settle(() => ends.complete(ref));
    slot.givenUp = 0;
  } catch (error) {
    // No effect if another worker has taken over.
    if (stopping.aborted || claim.signal.aborted) await ends.undo(ref);
    else {
      await settle(() => ends.fail(ref, { error, attempt }));
      slot.givenUp = 0;
    }
  } finally {
    claim.release();
    // Keeps an overloaded machine from reclaiming the same task forever; another machine may take it.
    if (claim.isGivenUp()) {
      slot.givenUp += 1;
      const pauseMs = pauseAfter(slot.givenUp, SLOT_PAUSES);
      onError(new Error(`A claim could not be renewed; this slot is paused for ${pauseMs / 1_000} s.`));
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

/** Returns the attempt number of a claim. */
export function attemptOf({ attemptsBefore = 0, handedBack = 0 }: Numbering, retryCount: number): number {
  return attemptsBefore + retryCount + 1 - handedBack;
}

export function countEarlierClaims({ attemptsBefore = 0, handedBack = 0 }: Numbering, attempt: number): number {
  return attempt - 1 - attemptsBefore + handedBack;
}
