import type { Logger } from "pino";
import type { Database } from "#database/open-database.ts";
import type { Claimed } from "#queue/open-queue.ts";
import type { TaskQueue, WorkOptions } from "#queue/task-queue.ts";
import type { PauseReasons } from "./fleet/pause-reasons.ts";
import { trackRunning } from "./fleet/running-work.ts";

type Work<Task> = {
  queue: Pick<TaskQueue<Task>, "work" | "workLost">;
  concurrency: number;
  cancelIdOf: (task: Claimed<Task>) => string;
  findStopped: (tasks: Claimed<Task>[]) => Promise<ReadonlySet<Claimed<Task>>>;
  runAttempt: (task: Claimed<Task>, cancelSignal: AbortSignal) => Promise<void>;
  whose?: Pick<WorkOptions, "labels" | "readLinks" | "mayClaim">;
  /** Fails a task whose last attempt was cut off. */
  endLost: (task: Task, reason: string) => Promise<unknown>;
};

export type TaskWork<Task> = {
  running(): Claimed<Task>[];
  /** Running tasks above the new count still finish. */
  setCount(count: number): void;
  settled(): Promise<void>;
  stopListening(): Promise<void>;
};

const LOST = "The worker was killed during the last attempt at this video.";

/** Also stops canceled tasks. Ends when the queue stops. */
export async function workOnTasks<Task>(
  worker: { database: Pick<Database, "listen">; log: Logger },
  pause: PauseReasons,
  { queue, concurrency, cancelIdOf, findStopped, runAttempt, endLost, whose }: Work<Task>,
): Promise<TaskWork<Task>> {
  const tracked = await trackRunning<Claimed<Task>>(worker, { idOf: cancelIdOf, findStopped });
  const handle = (task: Claimed<Task>): Promise<void> =>
    tracked.run(task, (cancelSignal) => runAttempt(task, cancelSignal));
  const slots = await queue.work(concurrency, handle, { isPaused: pause.isPaused(), ...whose });
  pause.onChange((isPaused) => slots.setPaused(isPaused));
  await queue.workLost(async (lost) => void (await endLost(lost, LOST)));
  return {
    running: () => tracked.tasks(),
    setCount: (count) => slots.setCount(count),
    settled: () => slots.settled(),
    stopListening: () => tracked.stopListening(),
  };
}
