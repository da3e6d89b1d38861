import type { Logger } from "pino";
import type { Database } from "#database/open-database.ts";
import { CANCEL_CHANNEL } from "#operations/jobs/cancel-job.ts";
import type { PauseReasons } from "./pause-reasons.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";

type RunningWork<Task> = {
  run(task: Task, act: (cancelSignal: AbortSignal) => Promise<void>): Promise<void>;
  tasks(): Task[];
  stopListening(): Promise<void>;
};

/**
 * Aborts running tasks that `findStopped` returns. A cancel notice, matched by `idOf`, only triggers that query: it may
 * arrive after its task was queued again, or be missed.
 */
export async function trackRunning<Task>(
  worker: { database: Pick<Database, "listen">; log: Logger },
  { idOf, findStopped }: { idOf: (task: Task) => string; findStopped: (tasks: Task[]) => Promise<ReadonlySet<Task>> },
): Promise<RunningWork<Task>> {
  const running = new Map<AbortController, Task>();
  const stopping = new AbortController();

  const abortStopped = async (matches: (task: Task) => boolean): Promise<void> => {
    const matching = [...running].filter(([, task]) => matches(task));
    if (matching.length === 0) return;
    const stopped = await retryUntilWritten(stopping.signal, () => findStopped(matching.map(([, task]) => task)));
    for (const [controller, task] of matching) if (stopped.has(task)) controller.abort();
  };
  const abortInBackground = (matches: (task: Task) => boolean): void =>
    void abortStopped(matches).catch((error: unknown) => {
      if (!stopping.signal.aborted) worker.log.error({ err: error }, "could not check for canceled tasks");
    });

  const unlisten = await worker.database.listen(
    CANCEL_CHANNEL,
    (id) => abortInBackground((task) => idOf(task) === id),
    () => abortInBackground(() => true),
  );
  return {
    async run(task, act) {
      const cancelling = new AbortController();
      running.set(cancelling, task);
      await act(cancelling.signal).finally(() => running.delete(cancelling));
    },
    tasks: () => [...running.values()],
    async stopListening() {
      stopping.abort();
      await unlisten();
    },
  };
}

/** Workers started by queue length should not exit between two videos of a job. */
const IDLE_MS = 10_000;
const CHECK_MS = 500;

type Options = {
  countRunning: () => number;
  pause: PauseReasons;
  settled: () => Promise<unknown>;
  idleMs?: number | undefined;
};

/**
 * Calls `onIdle` after `idleMs` (default 10 s) without running tasks, even while paused. A task claimed at the last
 * moment still finishes. Returns a function that stops watching.
 */
export function watchIdle({ countRunning, pause, settled, idleMs = IDLE_MS }: Options, onIdle: () => void): () => void {
  let idleSince = performance.now();
  const check = (): void => {
    if (countRunning() > 0) idleSince = performance.now();
    if (performance.now() - idleSince < idleMs) return;
    clearInterval(timer);
    pause.set("worker-idle", true);
    void settled().then(onIdle);
  };
  const timer = setInterval(check, Math.min(CHECK_MS, idleMs));
  return () => clearInterval(timer);
}
