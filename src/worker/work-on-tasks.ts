/** Takes the tasks of one queue, keeps track of what runs, and stops what is cancelled. */
import type { Claimed } from "#queue/open-queue.ts";
import type { TaskQueue } from "#queue/task-queue.ts";
import type { PauseReasons } from "./fleet/pause-reasons.ts";
import { trackRunning } from "./fleet/running-work.ts";
import type { WorkerContext } from "./worker-context.ts";

type Work<Task> = {
  queue: TaskQueue<Task>;
  /** How many tasks may run at the same time. */
  concurrency: number;
  /** What a cancel notice names. */
  cancelIdOf: (task: Claimed<Task>) => string;
  /** Returns those of the running tasks that must stop. */
  findStopped: (tasks: Claimed<Task>[]) => Promise<ReadonlySet<Claimed<Task>>>;
  runAttempt: (task: Claimed<Task>, cancelSignal: AbortSignal) => Promise<void>;
  /** Fails a task whose last attempt was cut off. */
  endLost: (task: Task, reason: string) => Promise<unknown>;
};

export type TaskWork<Task> = {
  running(): Claimed<Task>[];
  /** Sets how many tasks may run from now on. When fewer than now, those that run are finished. */
  setCount(count: number): void;
  /** Resolves after a pause once nothing runs any more. */
  settled(): Promise<void>;
  /** Stops listening for cancels. */
  stopListening(): Promise<void>;
};

const LOST = "The worker was stopped from outside during the last attempt at this video.";

/** Starts to take tasks, unless paused. The queue itself stops the work. */
export async function workOnTasks<Task>(
  worker: Pick<WorkerContext, "database" | "log">,
  pause: PauseReasons,
  { queue, concurrency, cancelIdOf, findStopped, runAttempt, endLost }: Work<Task>,
): Promise<TaskWork<Task>> {
  const tracked = await trackRunning<Claimed<Task>>(worker, { idOf: cancelIdOf, findStopped });
  const handle = (task: Claimed<Task>): Promise<void> =>
    tracked.run(task, (cancelSignal) => runAttempt(task, cancelSignal));
  const slots = await queue.work(concurrency, handle, { isPaused: pause.isPaused() });
  pause.onChange((isPaused) => slots.setPaused(isPaused));
  await queue.workLost(async (lost) => void (await endLost(lost, LOST)));
  return {
    running: () => tracked.tasks(),
    setCount: (count) => slots.setCount(count),
    settled: () => slots.settled(),
    stopListening: () => tracked.stopListening(),
  };
}
