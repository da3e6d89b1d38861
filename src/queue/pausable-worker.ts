import type { PgBoss } from "pg-boss";

/**
 * Starts one worker of a queue unless it begins paused. While it is paused it takes no task; one that runs is finished,
 * and only then can it go on, so that there are never more at work than were started. `start` answers the worker's id.
 */
export async function startPausable(
  boss: Pick<PgBoss, "offWork">,
  queue: string,
  options: {
    start: () => Promise<string>;
    isPaused: boolean;
    /** Aborts when all work stops: then nothing is started any more. */
    signal: AbortSignal;
    onFault: (fault: Error) => void;
  },
): Promise<(isPaused: boolean) => void> {
  const { start, signal, onFault } = options;
  let { isPaused } = options;
  let id = isPaused ? null : await start();
  const settle = async (): Promise<void> => {
    if (isPaused && id !== null) {
      await boss.offWork(queue, { id, wait: true });
      id = null;
    }
    // Asked anew: the pause may be over by now.
    if (!isPaused && id === null && !signal.aborted) id = await start();
  };
  let settled = Promise.resolve();
  return (wanted) => {
    if (wanted === isPaused) return;
    isPaused = wanted;
    settled = settled.then(settle).catch(onFault);
  };
}
