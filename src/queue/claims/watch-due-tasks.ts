import type { Database } from "#database/open-database.ts";
import { readOpenQueues, TASK_CHANNEL, type TaskDb } from "../task-table.ts";

/** The longest delay of a task that became due without a notice: a retry, or one that waited for its time. */
const INTERVAL_MS = 1_000;
/** Without open tasks, the next one comes with a notice; this is in case it does not. */
const QUIET_INTERVALS = 30;

/** `isFull` returns true while all slots run a task: then the queue need not be read. */
type Taker = { wake: () => void; isFull: () => boolean };

export type DueTasks = {
  /** Calls `wake` when the queue may have a due task. Rejects if the database cannot be listened to. */
  onDue(queue: string, taker: Taker): Promise<void>;
  /** Returns false if no task of the queues waited or ran at the last look. */
  mayHaveTasks(): boolean;
};

/**
 * Follows notices of due tasks. While tasks wait or run, reads once a second, for all queues of this process, which are
 * due. Until `signal` aborts.
 */
export function watchDueTasks(
  db: TaskDb,
  listen: Database["listen"],
  { signal, onError }: { signal: AbortSignal; onError: (fault: Error) => void },
): DueTasks {
  const takers = new Map<string, Taker[]>();
  let listening: Promise<unknown> | null = null;
  let isReading = false;
  let mayHaveTasks = true;
  let isNoticed = false;
  let quietIntervals = 0;

  const wakeQueue = (queue: string): void => {
    for (const { wake } of takers.get(queue) ?? []) wake();
  };
  const followNotice = (queue: string): void => {
    mayHaveTasks = true;
    isNoticed = true;
    wakeQueue(queue);
  };
  const followGap = (): void => {
    for (const queue of takers.keys()) followNotice(queue);
  };
  const read = async (): Promise<void> => {
    const wanted = [...takers].filter(([, each]) => !each.every(({ isFull }) => isFull())).map(([queue]) => queue);
    if (isReading || wanted.length === 0) return;
    isReading = true;
    isNoticed = false;
    try {
      const open = await readOpenQueues(db, wanted);
      // Tasks of the other queues run.
      mayHaveTasks = isNoticed || open.length > 0 || wanted.length < takers.size;
      for (const { queue, isDue } of open) if (isDue) wakeQueue(queue);
    } catch (error) {
      mayHaveTasks = true;
      onError(error as Error);
    } finally {
      isReading = false;
    }
  };
  const tick = (): void => {
    if (!mayHaveTasks && ++quietIntervals < QUIET_INTERVALS) return;
    quietIntervals = 0;
    void read();
  };
  const timer = setInterval(tick, INTERVAL_MS);
  timer.unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return {
    async onDue(queue, taker) {
      takers.set(queue, [...(takers.get(queue) ?? []), taker]);
      mayHaveTasks = true;
      isNoticed = true;
      listening ??= listen(TASK_CHANNEL, followNotice, followGap);
      await listening;
    },
    mayHaveTasks: () => mayHaveTasks,
  };
}
