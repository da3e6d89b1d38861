/** Uses the notice before a machine is taken away, such as the two minutes of a spot machine. */
import type { PauseReasons } from "./pause-reasons.ts";

/** Left for handing videos back and closing. */
const MARGIN_MS = 5_000;
const CHECK_MS = 1_000;

type Options<Task> = {
  /** Time until the machine is gone; 0 finishes nothing. */
  noticeMs: number;
  pause: PauseReasons;
  /** Running tasks. */
  readRunning: () => readonly Task[];
  /** Returns the milliseconds that each task still needs; tasks that are absent may need any time. */
  estimate: (tasks: readonly Task[]) => Promise<ReadonlyMap<Task, number>>;
  /** Aborts a task and returns it to the queue, for another worker to start at once. */
  handBack: (task: Task) => void;
};

/**
 * Claims no more tasks, finishes those that end in time, and returns the others to the queue as soon as that is known.
 * Resolves when nothing runs, or at the end of the notice.
 */
export async function finishInTime<Task>(options: Options<Task>): Promise<void> {
  const { noticeMs, pause, readRunning, estimate, handBack } = options;
  const endMs = performance.now() + noticeMs - MARGIN_MS;
  pause.set("worker-stopping", true);
  for (;;) {
    const leftMs = endMs - performance.now();
    const running = readRunning();
    if (running.length === 0 || leftMs <= 0) return;
    // Without the database nothing is known, and handing back would fail, too.
    const needed = await estimate(running).catch(() => null);
    if (needed) {
      for (const task of running) if ((needed.get(task) ?? Infinity) > leftMs) handBack(task);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(CHECK_MS, leftMs)));
  }
}
