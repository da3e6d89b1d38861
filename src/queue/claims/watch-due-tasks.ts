import type { Database } from "#database/open-database.ts";
import { readOpenQueues, TASK_CHANNEL, type TaskDb } from "../task-table.ts";

/** Longest delay of a task that becomes due without a notice: a retry, or one that waited for its time. */
const INTERVAL_MS = 1_000;
/** Without open tasks, the next one sends a notice; this covers a missed one. */
const QUIET_INTERVALS = 30;

/** A full queue is not read. */
type Taker = { wake: () => void; isFull: () => boolean };

export type DueTasks = {
  /** Calls `wake` when a task may be due. Rejects if it cannot listen to the database. */
  onDue(queue: string, taker: Taker): Promise<void>;
  /** False if no task waited or ran at the last check. */
  mayHaveTasks(): boolean;
};

/** Follows notices of due tasks until `signal` aborts. While tasks wait or run, also checks once a second. */
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
      // The other queues have running tasks.
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
