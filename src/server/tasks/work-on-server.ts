import type { Claimed, Queue } from "#queue/open-queue.ts";
import type { TaskQueue } from "#queue/task-queue.ts";
import type { ServerContext } from "../server-context.ts";

type Work<Task> = {
  concurrency: number;
  labels?: () => Promise<readonly string[]>;
  idOf: (task: Task) => string;
  handle: (task: Claimed<Task>) => Promise<void>;
  /** For the log. The queue repeats a failed attempt. */
  failure: string;
};

/** Works on a queue until `stop`, which puts running tasks back. */
export async function workOnServer<Task>(
  { queue, log }: { queue: Pick<Queue, "handBack"> } & Pick<ServerContext, "log">,
  tasks: TaskQueue<Task>,
  { concurrency, labels, idOf, handle, failure }: Work<Task>,
): Promise<{ stop(): Promise<void> }> {
  const running = new Set<string>();
  let isStopping = false;
  const run = async (task: Claimed<Task>): Promise<void> => {
    const id = idOf(task);
    running.add(id);
    try {
      await handle(task);
    } catch (error) {
      if (!isStopping) log.error({ err: error, task: id }, failure);
      throw error;
    } finally {
      running.delete(id);
    }
  };
  const slots = await tasks.work(concurrency, run, labels && { labels });
  return {
    async stop() {
      isStopping = true;
      slots.setPaused(true);
      for (const id of running) queue.handBack(id);
      await slots.settled();
    },
  };
}
