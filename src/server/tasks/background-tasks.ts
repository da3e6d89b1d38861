import type { Logger } from "pino";

export type BackgroundTasks = {
  run(name: string, task: () => Promise<void>): void;
  settle(): Promise<void>;
};

/** A shutdown waits for these tasks. */
export function createBackgroundTasks(log: Logger): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    run(name, task) {
      const done = task()
        .catch((error: unknown) =>
          log.error({ err: error, task: name }, "background work failed after the response was sent"),
        )
        .finally(() => running.delete(done));
      running.add(done);
    },
    async settle() {
      await Promise.all(running);
    },
  };
}
