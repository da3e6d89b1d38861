import type { Database } from "#database/open-database.ts";
import { readDueQueues, TASK_CHANNEL, type TaskDb } from "../task-table.ts";

/** The longest delay of a task that became due without a notice: a retry, or one that waited for its time. */
const INTERVAL_MS = 1_000;

export type DueTasks = {
  /** Calls `wake` when the queue may have a due task. Rejects if the database cannot be listened to. */
  onDue(queue: string, wake: () => void): Promise<void>;
};

/**
 * Follows notices of due tasks, and reads once a second, for all queues of this process, which have some. Until `signal`
 * aborts.
 */
export function watchDueTasks(
  db: TaskDb,
  listen: Database["listen"],
  { signal, onError }: { signal: AbortSignal; onError: (fault: Error) => void },
): DueTasks {
  const wakers = new Map<string, (() => void)[]>();
  let listening: Promise<unknown> | null = null;
  let isReading = false;

  const wakeQueue = (queue: string): void => {
    for (const wake of wakers.get(queue) ?? []) wake();
  };
  const wakeAll = (): void => {
    for (const queue of wakers.keys()) wakeQueue(queue);
  };
  const read = async (): Promise<void> => {
    if (isReading || wakers.size === 0) return;
    isReading = true;
    try {
      for (const queue of await readDueQueues(db, [...wakers.keys()])) wakeQueue(queue);
    } catch (error) {
      onError(error as Error);
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(() => void read(), INTERVAL_MS);
  timer.unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return {
    async onDue(queue, wake) {
      wakers.set(queue, [...(wakers.get(queue) ?? []), wake]);
      listening ??= listen(TASK_CHANNEL, wakeQueue, wakeAll);
      await listening;
    },
  };
}
