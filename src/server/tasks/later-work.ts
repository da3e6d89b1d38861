import type { Logger } from "pino";

export type LaterWork = {
  /** Starts a task that no answer waits for. What it throws is logged under its name. */
  run(name: string, task: () => Promise<void>): void;
  /** Resolves when all that was started has ended. */
  settle(): Promise<void>;
};

/** Keeps account of what goes on after its answer was sent, so that a stop does not cut it off. */
export function createLaterWork(log: Logger): LaterWork {
  const going = new Set<Promise<void>>();
  return {
    run(name, task) {
      const done = task()
        .catch((error: unknown) => log.error({ err: error, task: name }, "work after an answer failed"))
        .finally(() => going.delete(done));
      going.add(done);
    },
    async settle() {
      await Promise.all(going);
    },
  };
}
