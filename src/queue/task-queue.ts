/** A queue for one kind of task: enqueued in the caller's transaction, handed out fairly, retried after a crash. */
import type { Transaction } from "kysely";
import { fromKysely, type WorkOptions } from "pg-boss";
import type { Tables } from "#database/tables.ts";
import { createGrowingPause } from "./faults/growing-pause.ts";
import { createPausable } from "./slots/pausable-worker.ts";
import { countEarlierClaims, type QueueCore, runClaim } from "./run-claim.ts";
import type { Claimed, Numbering, TaskKind } from "./task-kinds.ts";
import * as table from "./task-table.ts";
import { openWorkerSlots, type WorkerSlots } from "./slots/worker-slots.ts";

/** Disables pg-boss's heartbeats: the queue renews all leases of a process together. */
const NO_HEARTBEATS_SECONDS = 24 * 60 * 60;

/** Notices and `watchDueTasks` wake the workers; this is in case neither does. */
const POLLING = { pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 30 };

export type TaskQueue<Task> = {
  /** With `isHeld`, the tasks wait until released. `after` holds the forgotten tasks with the same ids. */
  enqueue(
    trx: Transaction<Tables>,
    tasks: Task[],
    options?: { isHeld?: boolean; after?: table.ForgottenClaims },
  ): Promise<void>;
  /**
   * Undoes a claim without counting an attempt. The task is handed out again after `waitSeconds`, when woken, or when
   * released.
   */
  putBack(
    trx: Transaction<Tables>,
    task: { id: string; attempt: number } & Numbering,
    options: { isHeld?: boolean; waitSeconds?: number },
  ): Promise<void>;
  /** Makes waiting tasks available now, held ones once released. Returns their ids. */
  wake(trx: Transaction<Tables>, ids: readonly string[]): Promise<string[]>;
  /** Deletes ended tasks, so that their ids can be reused. Returns null and deletes none if any waits or runs. */
  forget(trx: Transaction<Tables>, ids: readonly string[]): Promise<table.ForgottenClaims | null>;
  /** Returns the ids of the canceled tasks. */
  cancelWaiting(trx: Transaction<Tables>, ids: readonly string[]): Promise<string[]>;
  /** Cancels claimed tasks, too. */
  cancel(trx: Transaction<Tables>, ids: string[]): Promise<void>;
  /** Returns true while the task waits or runs. A lost task with this id is then an earlier one. */
  isOpen(trx: Transaction<Tables>, id: string): Promise<boolean>;
  /** Returns at most `most` of the tasks that are handed out next, in order, without claiming them. */
  peek(most: number): Promise<Task[]>;
  /** Gives waiting tasks start tags from `firstTag` on, in their current order. Returns their number. */
  move(trx: Transaction<Tables>, ids: readonly string[], firstTag: number): Promise<number>;
  /** Running tasks continue. */
  hold(trx: Transaction<Tables>, ids: readonly string[]): Promise<void>;
  /**
   * Releases held tasks, none before the queue's virtual time unless moved to the front. Returns the lowest start tag,
   * or null if none waits.
   */
  release(trx: Transaction<Tables>, ids: readonly string[], virtualTime: number): Promise<number | null>;
  /**
   * Runs `handle` for up to `concurrency` tasks at the same time. If it rejects, the task is retried after the error's
   * `retryAfterSeconds` or a default delay.
   */
  work(
    concurrency: number,
    handle: (task: Claimed<Task>) => Promise<void>,
    options?: { isPaused: boolean },
  ): Promise<WorkerSlots>;
  /** Runs `handle` for tasks without attempts left, repeatedly and possibly much later, until it resolves. */
  workLost(handle: (task: Task) => Promise<void>): Promise<void>;
};

/**
 * Opens the queue of one kind. Claims nothing before `work` or `workLost`. Methods with `trx` take effect on its
 * commit.
 */
export function openTaskQueue<Task extends Numbering>(core: QueueCore, kind: TaskKind<Task>): TaskQueue<Task> {
  const { boss, due, stopping, onError } = core;
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
      await table.undoClaim(trx, { queue, id, retryCount: countEarlierClaims(numbering, attempt) }, options);
    },
    wake: (trx, ids) => table.wake(trx, { queue, ids }),
    forget: (trx, ids) => table.forget(trx, { queue, ids }),
    cancelWaiting: (trx, ids) => table.cancelWaiting(trx, { queue, ids }),
    cancel: async (trx, ids) => {
      if (ids.length > 0) await boss.cancel(queue, ids, { db: fromKysely(trx) });
    },
    isOpen: (trx, id) => table.isOpen(trx, queue, id),
    peek: async (most) => (await table.peek(boss.getDb(), queue, most)) as Task[],
    move: (trx, ids, firstTag) => table.moveWaiting(trx, { queue, ids }, firstTag),
    hold: (trx, ids) => table.holdWaiting(trx, { queue, ids }),
    release: (trx, ids, virtualTime) => table.releaseWaiting(trx, { queue, ids }, virtualTime),
    work: async (concurrency, handle, { isPaused } = { isPaused: false }) => {
      const options: WorkOptions = {
        heartbeatRefreshSeconds: NO_HEARTBEATS_SECONDS,
        ...POLLING,
        ...(kind.groupOf && { groupConcurrency: kind.groupLimit ?? concurrency }),
      };
      // One pg-boss worker per slot, so that slots can be notified, added and removed separately.
      const createWorker: Parameters<typeof openWorkerSlots>[0] = (run) => {
        const pause = createGrowingPause();
        let stopWaking: (() => void) | null = null;
        const start = async (): Promise<string> => {
          const workerId: string = await boss.work<Task>(queue, options, async ([task]) => {
            // Fetches the next task without waiting for the next poll.
            boss.notifyWorker(workerId);
            if (task) await run(() => runClaim(core, queue, { task, pause }, handle));
          });
          stopWaking?.();
          stopWaking = due.wake(queue, workerId);
          return workerId;
        };
        return createPausable(boss, queue, { start, signal: stopping, onError });
      };
      const slots = openWorkerSlots(createWorker, { count: concurrency, isPaused });
      await slots.settled();
      return slots;
    },
    workLost: async (handle) => {
      const workerId: string = await boss.work<Task>(lostQueue, POLLING, async ([task]) => {
        boss.notifyWorker(workerId);
        if (task) await handle(task.data);
      });
      due.wake(lostQueue, workerId);
    },
  };
}
