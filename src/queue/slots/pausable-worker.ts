import type { PgBoss } from "pg-boss";

export type PausableWorker = {
  /** While true no task is taken; one that runs is finished. Only then can it go on. */
  setPaused(isPaused: boolean): void;
  /** Resolves once it is as was asked last: taking tasks, or paused with nothing running. */
  settled(): Promise<void>;
};

/**
 * One worker of a queue, paused at first. There is never more than one at work, however often it is paused and not.
 * `start` answers the worker's id.
 */
export function createPausable(
  boss: Pick<PgBoss, "offWork">,
  queue: string,
  options: {
    start: () => Promise<string>;
    /** Aborts when all work stops: then nothing is started any more. */
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
    // Asked anew: the pause may be over by now.
    if (!isPaused && id === null && !signal.aborted) id = await start();
  };
  let settled = Promise.resolve();
  return {
    setPaused(wanted) {
      if (wanted === isPaused) return;
      isPaused = wanted;
      settled = settled.then(settle).catch(onError);
    },
    settled: () => settled,
  };
}
