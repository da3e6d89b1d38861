import type { PgBoss } from "pg-boss";
import { readDueQueues } from "../task-table.ts";

/** The longest delay of a task that became due without a notice: a retry, or one that waited for its time. */
const INTERVAL_MS = 1_000;

export type DueTasks = {
  /** Wakes this worker of pg-boss when its queue has a due task. Returns a function that ends this. */
  wake(queue: string, workerId: string): () => void;
  stop(): void;
};

/**
 * Reads once a second, for all workers of this process, which queues have due tasks. Each worker would otherwise ask for
 * itself, which costs more than everything else in a process without work.
 */
export function watchDueTasks(boss: PgBoss, onError: (fault: Error) => void): DueTasks {
  const workers = new Map<string, Set<string>>();
  let isReading = false;
  const read = async (): Promise<void> => {
    const queues = [...workers.keys()];
    if (isReading || queues.length === 0) return;
    isReading = true;
    try {
      for (const queue of await readDueQueues(boss.getDb(), queues)) {
        for (const id of workers.get(queue) ?? []) boss.notifyWorker(id);
      }
    } catch (error) {
      onError(error as Error);
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(() => void read(), INTERVAL_MS);
  timer.unref();
  return {
    wake(queue, workerId) {
      const ids = workers.get(queue) ?? new Set<string>();
      workers.set(queue, ids.add(workerId));
      return () => {
        ids.delete(workerId);
        if (ids.size === 0) workers.delete(queue);
      };
    },
    stop: () => clearInterval(timer),
  };
}
