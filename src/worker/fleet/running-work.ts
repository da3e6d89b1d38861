import { CANCEL_CHANNEL } from "#operations/jobs/cancel-job.ts";
import { untilWritten } from "./until-written.ts";
import type { WorkerContext } from "../worker-context.ts";

/** What a worker has at work, and can be told to stop by any server. */
export type RunningWork<Task> = {
  /** Works on a task; the signal aborts when nobody wants it any more. */
  run(task: Task, act: (cancelSignal: AbortSignal) => Promise<void>): Promise<void>;
  tasks(): Task[];
  stopListening(): Promise<void>;
};

/**
 * Listens for what is cancelled. A notice is only the word to look: `findStopped` answers which of these tasks are not to be
 * worked on, for a notice may come late, when its task is wanted again, or be missed while the database is out of reach.
 * `idOf` is what notices name.
 */
export async function trackRunning<Task>(
  worker: Pick<WorkerContext, "database" | "log">,
  { idOf, findStopped }: { idOf: (task: Task) => string; findStopped: (tasks: Task[]) => Promise<ReadonlySet<Task>> },
): Promise<RunningWork<Task>> {
  const running = new Map<AbortController, Task>();
  const stopping = new AbortController();

  const look = async (isMeant: (task: Task) => boolean): Promise<void> => {
    const meant = [...running].filter(([, task]) => isMeant(task));
    if (meant.length === 0) return;
    const stopped = await untilWritten(stopping.signal, () => findStopped(meant.map(([, task]) => task)));
    for (const [controller, task] of meant) if (stopped.has(task)) controller.abort();
  };
  const lookAt = (isMeant: (task: Task) => boolean): void =>
    void look(isMeant).catch((error: unknown) => {
      if (!stopping.signal.aborted) worker.log.error({ err: error }, "what was cancelled could not be read");
    });

  const unlisten = await worker.database.listen(
    CANCEL_CHANNEL,
    (id) => lookAt((task) => idOf(task) === id),
    () => lookAt(() => true),
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
