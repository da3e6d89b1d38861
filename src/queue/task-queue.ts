/** One kind of task behind a few verbs: enqueued in the caller's transaction, handed out fairly, retried when a worker dies. */
import type { Transaction } from "kysely";
import { fromKysely, type WorkOptions } from "pg-boss";
import type { Tables } from "#database/tables.ts";
import { createGrowingPause } from "./faults/growing-pause.ts";
import { createPausable } from "./slots/pausable-worker.ts";
import { claimsBefore, type QueueCore, runClaim } from "./run-claim.ts";
import type { Claimed, Numbering, TaskKind } from "./task-kinds.ts";
import * as table from "./task-table.ts";
import { openWorkerSlots, type WorkerSlots } from "./slots/worker-slots.ts";

/** The queue renews all leases of a process together; pg-boss's own heartbeats are turned off by this interval. */
const NO_HEARTBEATS_SECONDS = 24 * 60 * 60;

export type TaskQueue<Task> = {
  /**
   * Adds tasks inside the caller's transaction; with `isHeld` they are not handed out until they are released. `after` are
   * the forgotten tasks of the same ids.
   */
  enqueue(
    trx: Transaction<Tables>,
    tasks: Task[],
    options?: { isHeld?: boolean; after?: table.Forgotten },
  ): Promise<void>;
  /** Undoes a claim without counting an attempt, and hands out the task again after `waitSeconds`, when woken, or when released. */
  putBack(
    trx: Transaction<Tables>,
    task: { id: string; attempt: number } & Numbering,
    options: { isHeld?: boolean; waitSeconds?: number },
  ): Promise<void>;
  /** Hands out waiting tasks now, and held ones once they are released. Returns the ids of those that waited. */
  wake(trx: Transaction<Tables>, ids: readonly string[]): Promise<string[]>;
  /** Forgets ended tasks, so that their ids can be enqueued again. Returns null, forgetting none, when one waits or runs. */
  forget(trx: Transaction<Tables>, ids: readonly string[]): Promise<table.Forgotten | null>;
  /** Cancels waiting tasks. Returns their ids. */
  cancelWaiting(trx: Transaction<Tables>, ids: readonly string[]): Promise<string[]>;
  /** Cancels tasks, claimed ones, too. */
  cancel(trx: Transaction<Tables>, ids: string[]): Promise<void>;
  /** Returns true while the task waits or runs. Then a lost task of this id is an earlier one. */
  isOpen(trx: Transaction<Tables>, id: string): Promise<boolean>;
  /** Gives waiting tasks the start tags from `firstTag` on, in their present order. Returns how many wait. */
  move(trx: Transaction<Tables>, ids: readonly string[], firstTag: number): Promise<number>;
  /** Hands out none of these tasks until they are released. Running ones go on. */
  hold(trx: Transaction<Tables>, ids: readonly string[]): Promise<void>;
  /**
   * Hands out held tasks again, none before the queue's present time, unless they were moved to the front. Returns the lowest
   * start tag, or null when none waits.
   */
  release(trx: Transaction<Tables>, ids: readonly string[], virtualTime: number): Promise<number | null>;
  /**
   * Runs `handle` for each task, `concurrency` at the same time. When it rejects, the queue retries the task later: after the
   * `retryAfterSeconds` of a ClipmillError that has them.
   */
  work(
    concurrency: number,
    handle: (task: Claimed<Task>) => Promise<void>,
    options?: { isPaused: boolean },
  ): Promise<WorkerSlots>;
  /** Runs `handle` for each task that has no attempt left, repeatedly, maybe much later, until it resolves. */
  workLost(handle: (task: Task) => Promise<void>): Promise<void>;
};

/** Opens the queue of one kind of task. */
export function openTaskQueue<Task extends Numbering>(core: QueueCore, kind: TaskKind<Task>): TaskQueue<Task> {
  const { boss, stopping, onError } = core;
  const { queue, lostQueue } = kind;
  return {
    enqueue: async (trx, tasks, { isHeld = false, after } = {}) => {
      const jobs = tasks.map((task, place) => ({
        id: kind.idOf(task),
        data: task,
        priority: kind.priorityOf(task, place),
        ...(kind.groupOf && { group: { id: kind.groupOf(task) } }),
      }));
      await boss.insert(queue, jobs, { db: fromKysely(trx) });
      if (after) await table.countOn(trx, queue, after);
      if (isHeld) await table.holdWaiting(trx, { queue, ids: jobs.map(({ id }) => id) });
    },
    putBack: async (trx, { id, attempt, ...numbering }, options) => {
      await table.undoClaim(trx, { queue, id, retryCount: claimsBefore(numbering, attempt) }, options);
    },
    wake: (trx, ids) => table.wake(trx, { queue, ids }),
    forget: (trx, ids) => table.forget(trx, { queue, ids }),
    cancelWaiting: (trx, ids) => table.cancelWaiting(trx, { queue, ids }),
    cancel: async (trx, ids) => {
      if (ids.length > 0) await boss.cancel(queue, ids, { db: fromKysely(trx) });
    },
    isOpen: (trx, id) => table.isOpen(trx, queue, id),
    move: (trx, ids, firstTag) => table.moveWaiting(trx, { queue, ids }, firstTag),
    hold: (trx, ids) => table.holdWaiting(trx, { queue, ids }),
    release: (trx, ids, virtualTime) => table.releaseWaiting(trx, { queue, ids }, virtualTime),
    work: async (concurrency, handle, { isPaused } = { isPaused: false }) => {
      const options: WorkOptions = {
        heartbeatRefreshSeconds: NO_HEARTBEATS_SECONDS,
        pollingIntervalSeconds: 1,
        notifyPollingIntervalSeconds: 1,
        ...(kind.groupOf && { groupConcurrency: concurrency }),
      };
      // One pg-boss worker for each slot: only so can each be told to continue at once, and their number change.
      const createWorker: Parameters<typeof openWorkerSlots>[0] = (run) => {
        const pause = createGrowingPause();
        const start = async (): Promise<string> => {
          const workerId: string = await boss.work<Task>(queue, options, async ([task]) => {
            // After a task the next one is fetched at once, not a polling interval later.
            boss.notifyWorker(workerId);
            if (task) await run(() => runClaim(core, queue, { task, pause }, handle));
          });
          return workerId;
        };
        return createPausable(boss, queue, { start, signal: stopping, onError });
      };
      const slots = openWorkerSlots(createWorker, { count: concurrency, isPaused });
      await slots.settled();
      return slots;
    },
    workLost: async (handle) => {
      await boss.work<Task>(lostQueue, { pollingIntervalSeconds: 1 }, async ([task]) => {
        if (task) await handle(task.data);
      });
    },
  };
}
