import type { PgBoss } from "pg-boss";

export type PausableWorker = {
  /** A running task finishes first, even before resuming. */
  setPaused(isPaused: boolean): void;
  /** Resolves once the worker takes tasks, or is paused with nothing running. */
  settled(): Promise<void>;
};

/** Creates one worker of a queue, initially paused; pausing and resuming never makes two. `start` returns its id. */
export function createPausable(
  boss: Pick<PgBoss, "offWork">,
  queue: string,
  options: {
    start: () => Promise<string>;
    /** Aborts when all work stops; nothing starts after that. */
    signal: AbortSignal;
    onError: (fault: Error) => void;
  },
): PausableWorker {
  const { start, signal, onError } = options;
  let isPaused = true;
  let id: string | null = null;
  const settle = async (): Promise<void> => {
    if (isPaused && id !== null) {
      await boss.offWork(queue, { id, wait: true });
      id = null;
    }
    // The pause may be over by now.
    if (!isPaused && id === null && !signal.aborted) id = await start();
  };
  let settled = Promise.resolve();
  return {
    setPaused(next) {
      if (next === isPaused) return;
      isPaused = next;
      settled = settled.then(settle).catch(onError);
    },
    settled: () => settled,
  };
}
