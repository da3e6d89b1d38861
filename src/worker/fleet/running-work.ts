import { CANCEL_CHANNEL } from "#operations/jobs/cancel-job.ts";
import { retryUntilWritten } from "./retry-until-written.ts";
import type { WorkerContext } from "../worker-context.ts";

export type RunningWork<Task> = {
  run(task: Task, act: (cancelSignal: AbortSignal) => Promise<void>): Promise<void>;
  tasks(): Task[];
  stopListening(): Promise<void>;
};

/**
 * Aborts running tasks that `findStopped` returns. A cancel notice, matched by `idOf`, only triggers that query: it may
 * arrive after its task was queued again, or be missed.
 */
export async function trackRunning<Task>(
  worker: Pick<WorkerContext, "database" | "log">,
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
