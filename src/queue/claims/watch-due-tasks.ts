import type { Database } from "#database/open-database.ts";
import { repeat } from "#ground/repeat.ts";
import { WORKER_QUEUES } from "../task-kinds.ts";
import { readOpenQueues, TASK_CHANNEL, type TaskDb } from "../task-table.ts";

/** While tasks run, in this or another process: their retries send no notice. */
const INTERVAL_MS = 1_000;
/** Otherwise, a task sends a notice or becomes due at a known time; this covers a missed notice. */
const QUIET_MS = 30_000;

/** A full queue is not read. */
type Taker = { wake: () => void; isFull: () => boolean };

export type DueTasks = {
  /** Calls `wake` when a task may be due. Rejects if it cannot listen to the database. */
  onDue(queue: string, taker: Taker): Promise<void>;
  /** False if no task of a worker waited or ran at the last check. */
  mayHaveTasks(): boolean;
};

/**
 * Follows notices of due tasks until `signal` aborts. Also checks once a second while tasks are due or run, and when
 * the next one becomes due.
 */
export function watchDueTasks(
  db: TaskDb,
  listen: Database["listen"],
  { signal, onError }: { signal: AbortSignal; onError: (error: Error) => void },
): DueTasks {
  const takers = new Map<string, Taker[]>();
  let listening: Promise<unknown> | null = null;
  let mayHaveTasks = true;
  let isNoticed = false;
  let nextReadMs = 0;

  const wakeQueue = (queue: string): void => {
    for (const { wake } of takers.get(queue) ?? []) wake();
  };
  const followNotice = (queue: string): void => {
    mayHaveTasks = true;
    isNoticed = true;
    nextReadMs = 0;
    wakeQueue(queue);
  };
  const followGap = (): void => {
    for (const queue of takers.keys()) followNotice(queue);
  };
  const read = async (): Promise<void> => {
    const wanted = [...takers].filter(([, each]) => !each.every(({ isFull }) => isFull())).map(([queue]) => queue);
    if (wanted.length === 0 || performance.now() < nextReadMs) return;
    isNoticed = false;
    mayHaveTasks = true;
    const open = await readOpenQueues(db, wanted);
    // The other queues have running tasks.
    mayHaveTasks = isNoticed || open.some(({ queue }) => WORKER_QUEUES.includes(queue)) || wanted.length < takers.size;
    for (const { queue, isDue } of open) if (isDue) wakeQueue(queue);
    const isBusy = isNoticed || wanted.length < takers.size || open.some(({ isActive, isDue }) => isActive || isDue);
    const waitMs = isBusy ? 0 : Math.min(QUIET_MS, ...open.map(({ dueInMs }) => dueInMs ?? QUIET_MS));
    nextReadMs = performance.now() + waitMs;
  };
  repeat(read, { everyMs: INTERVAL_MS, firstMs: INTERVAL_MS, signal, onError });
  return {
    async onDue(queue, taker) {
      takers.set(queue, [...(takers.get(queue) ?? []), taker]);
      mayHaveTasks = true;
      isNoticed = true;
      nextReadMs = 0;
      listening ??= listen(TASK_CHANNEL, followNotice, followGap);
      await listening;
    },
    mayHaveTasks: () => mayHaveTasks,
  };
}
