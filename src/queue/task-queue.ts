import { sql, type Transaction } from "kysely";
import { fromKysely } from "pg-boss";
import type { Tables } from "#database/tables.ts";
import { currentSpan } from "#ground/tracing/tracing.ts";
import { inParts } from "#ground/give-way.ts";
import { type ClaimedTask, countEarlierClaims, type QueueCore, runClaim, type Slot } from "./run-claim.ts";
import type { Claimed, Numbering, TaskKind } from "./task-kinds.ts";
import * as table from "./task-table.ts";
import { openTaskSlots, type TaskSlots } from "./slots/task-slots.ts";

/** Due tasks wake pg-boss's workers; this covers a missed wake. */
const POLLING_SECONDS = 30;

/** How often in a row a worker may pass over the first task for one whose file it has. */
const MAX_PASSED_OVER = 3;

/** Keeps short what the server does for one statement without a pause. */
const TASKS_PER_STATEMENT = 500;

const OPEN_STATES: ReadonlySet<string> = new Set(["created", "retry", "active"]);

type Labels = readonly string[];
export type WorkOptions = {
  isPaused?: boolean;
  labels?: Labels | (() => Promise<Labels>);
  readLinks?: () => string[];
  /** Checked before each claim. */
  mayClaim?: () => Promise<boolean>;
};

export type TaskQueue<Task> = {
  /**
   * Ignores tasks whose ids are in the queue. With `isHeld`, tasks wait until released. `after` has the forgotten tasks
   * with the same ids.
   */
  enqueue(
    trx: Transaction<Tables>,
    tasks: Task[],
    options?: { isHeld?: boolean; after?: table.ForgottenClaims },
  ): Promise<void>;
  /**
   * Undoes a claim without counting an attempt. The task is handed out again after `waitSeconds`, or when woken or
   * released.
   */
  putBack(
    trx: Transaction<Tables>,
    task: { id: string; attempt: number } & Numbering,
    options: { isHeld?: boolean; waitSeconds?: number },
  ): Promise<void>;
  /** False if another worker has taken over. */
  isClaimed(trx: Transaction<Tables>, task: { id: string; attempt: number } & Numbering): Promise<boolean>;
  /** Forgets a running task's failed attempts once it has made progress. */
  renewRetries(trx: Transaction<Tables>, id: string): Promise<void>;
  /** Makes waiting tasks available now, held ones once released. Returns their ids. */
  wake(trx: Transaction<Tables>, ids: readonly string[]): Promise<string[]>;
  /** Deletes ended tasks, which frees their ids. Returns null and deletes none if any waits or runs. */
  forget(trx: Transaction<Tables>, ids: readonly string[]): Promise<table.ForgottenClaims | null>;
  /** Returns the ids of canceled tasks. */
  cancelWaiting(trx: Transaction<Tables>, ids: readonly string[]): Promise<string[]>;
  /** Includes claimed tasks. */
  cancel(trx: Transaction<Tables>, ids: string[]): Promise<void>;
  /** A lost task with the id of an open one is an earlier one. */
  isOpen(trx: Transaction<Tables>, id: string): Promise<boolean>;
  /** Returns at most `most` tasks that a worker with `labels` would get next, in order, without claiming them. */
  peek(most: number, labels: readonly string[]): Promise<Task[]>;
  /** Gives waiting tasks start tags from `firstTag` on, in their order. Returns their number. */
  move(trx: Transaction<Tables>, ids: readonly string[], firstTag: number): Promise<number>;
  /** Running tasks continue. */
  hold(trx: Transaction<Tables>, ids: readonly string[]): Promise<void>;
  /**
   * Releases held tasks, none before the queue's virtual time unless moved to the front. Returns the lowest start tag,
   * or null if none waits.
   */
  release(trx: Transaction<Tables>, ids: readonly string[], virtualTime: number): Promise<number | null>;
  /**
   * Runs `handle` for up to `concurrency` tasks. If it rejects, the task is retried after the error's
   * `retryAfterSeconds` or a default delay. `labels` are the worker's; it prefers videos whose links `readLinks`
   * returns.
   */
  work(concurrency: number, handle: (task: Claimed<Task>) => Promise<void>, options?: WorkOptions): Promise<TaskSlots>;
  /** Calls `handle` for tasks without attempts left, repeatedly and possibly much later, until it resolves. */
  workLost(handle: (task: Task) => Promise<void>): Promise<void>;
};

/** Claims nothing before `work` or `workLost`. Methods with `trx` take effect on its commit. */
export function openTaskQueue<Task extends Numbering>(core: QueueCore, kind: TaskKind<Task>): TaskQueue<Task> {
  const { boss, due, stopping, onError } = core;
  const { queue, lostQueue } = kind;
  return {
    enqueue: async (trx, tasks, { isHeld = false, after } = {}) => {
      const traceparent = kind.startsTraces ? undefined : currentSpan()?.traceparent;
      const jobs = tasks.map((task, place) => ({
        id: kind.idOf(task),
        data: traceparent === undefined ? task : { ...task, traceparent },
        priority: kind.priorityOf(task, place),
        ...(kind.groupOf && { group: { id: kind.groupOf(task) } }),
        ...(kind.dueAtOf?.(task) !== undefined && { startAfter: kind.dueAtOf(task)! }),
      }));
      // Otherwise, the commit checks pg-boss's foreign keys of all tasks.
      if (jobs.length > TASKS_PER_STATEMENT) await sql`set constraints all immediate`.execute(trx);
      for await (const some of inParts(jobs, TASKS_PER_STATEMENT)) {
        await boss.insert(queue, some, { db: fromKysely(trx) });
      }
      if (after) await table.countOn(trx, queue, after);
      if (isHeld) await table.holdWaiting(trx, { queue, ids: jobs.map(({ id }) => id) });
      else await table.notifyWorkers(trx, queue);
    },
    putBack: async (trx, { id, attempt, ...numbering }, options) => {
      await table.undoClaim(trx, { queue, id, retryCount: countEarlierClaims(numbering, attempt) }, options);
    },
    isClaimed: async (trx, { id, attempt, ...numbering }) => {
      const [task] = await boss.findJobs(queue, { id, db: fromKysely(trx) });
      return task?.state === "active" && task.retryCount === countEarlierClaims(numbering, attempt);
    },
    renewRetries: (trx, id) => table.renewRetries(trx, queue, id),
    wake: async (trx, ids) => {
      const woken = await table.wake(trx, { queue, ids });
      await table.notifyWorkers(trx, queue);
      return woken;
    },
    forget: (trx, ids) => table.forget(trx, { queue, ids }),
    cancelWaiting: (trx, ids) => table.cancelWaiting(trx, { queue, ids }),
    cancel: async (trx, ids) => {
      if (ids.length > 0) await boss.cancel(queue, ids, { db: fromKysely(trx) });
    },
    isOpen: async (trx, id) => {
      const [task] = await boss.findJobs(queue, { id, db: fromKysely(trx) });
      return task !== undefined && OPEN_STATES.has(task.state);
    },
    peek: async (most, labels) => (await table.peek(boss.getDb(), queue, { labels }, most)) as Task[],
    move: (trx, ids, firstTag) => table.moveWaiting(trx, { queue, ids }, firstTag),
    hold: (trx, ids) => table.holdWaiting(trx, { queue, ids }),
    release: async (trx, ids, virtualTime) => {
      const lowest = await table.releaseWaiting(trx, { queue, ids }, virtualTime);
      await table.notifyWorkers(trx, queue);
      return lowest;
    },
    work: async (concurrency, handle, { isPaused = false, labels = [], readLinks = () => [], mayClaim } = {}) => {
      const groupConcurrency = kind.groupOf && (kind.groupLimit ?? concurrency);
      const claimNext = kind.hasLabels
        ? claimLabeled<Task>(core, queue, { labels, readLinks })
        : () => claimByGroup<Task>(core, queue, groupConcurrency);
      const claim = async () => (!mayClaim || (await mayClaim()) ? await claimNext() : null);
      const unused: Slot[] = [];
      const run = async (task: ClaimedTask<Task>): Promise<void> => {
        const slot = unused.pop() ?? { givenUp: 0 };
        await runClaim(core, kind, { task, slot }, handle).catch(onError);
        unused.push(slot);
      };
      const options = { claim, run, signal: stopping, onError };
      const slots = openTaskSlots(options, { count: concurrency, isPaused });
      core.working.add(slots);
      await due.onDue(queue, slots);
      return slots;
    },
    workLost: async (handle) => {
      if (lostQueue === undefined) return;
      const options = { pollingIntervalSeconds: POLLING_SECONDS };
      const workerId: string = await boss.work<Task>(lostQueue, options, async ([task]) => {
        // There may be more.
        boss.notifyWorker(workerId);
        if (task) await handle(task.data);
      });
      await due.onDue(lostQueue, { wake: () => boss.notifyWorker(workerId), isFull: () => false });
    },
  };
}

/** Reads the times of the task only for its trace. */
async function claimByGroup<Task>(
  { boss, tracing }: Pick<QueueCore, "boss" | "tracing">,
  queue: string,
  groupConcurrency: number | undefined,
): Promise<ClaimedTask<Task> | null> {
  const options = groupConcurrency === undefined ? {} : { groupConcurrency };
  if (!tracing) return (await boss.fetch<Task>(queue, options))[0] ?? null;
  const [task] = await boss.fetch<Task>(queue, { ...options, includeMetadata: true });
  if (!task) return null;
  const claimableMs = Math.max(task.createdOn.getTime(), task.startAfter.getTime());
  return Object.assign(task, { waitedMs: task.startedOn.getTime() - claimableMs });
}

/** Prefers videos whose files the worker has, but not so often in a row that the first task waits long. */
function claimLabeled<Task>(
  { boss, leaseSeconds }: Pick<QueueCore, "boss" | "leaseSeconds">,
  queue: string,
  { labels, readLinks }: Required<Pick<WorkOptions, "labels" | "readLinks">>,
): () => Promise<ClaimedTask<Task> | null> {
  let passedOver = 0;
  return async () => {
    const own = typeof labels === "function" ? await labels() : labels;
    const links = passedOver < MAX_PASSED_OVER ? readLinks() : [];
    const task = await table.claimNext(boss.getDb(), queue, { labels: own, links, leaseSeconds });
    passedOver = task?.isPreferred ? passedOver + 1 : 0;
    return task as ClaimedTask<Task> | null;
  };
}
