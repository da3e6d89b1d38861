import type { PauseReasons } from "./pause-reasons.ts";

/** Reserved for returning tasks to the queue and closing. */
const MARGIN_MS = 5_000;
const CHECK_MS = 1_000;

type Options<Task> = {
  /** Time until the machine is taken away; 0 finishes nothing. */
  noticeMs: number;
  pause: PauseReasons;
  readRunning: () => readonly Task[];
  /** Returns the remaining milliseconds of each task; missing tasks count as endless. */
  estimate: (tasks: readonly Task[]) => Promise<ReadonlyMap<Task, number>>;
  /** Aborts a task and returns it to the queue, where another worker may claim it immediately. */
  handBack: (task: Task) => void;
};

/**
 * Finishes tasks that end within the notice, such as a spot instance's, and returns the others to the queue as early as
 * possible. Claims none. Resolves when nothing runs, or when the notice ends.
 */
export async function finishInTime<Task>(options: Options<Task>): Promise<void> {
  const { noticeMs, pause, readRunning, estimate, handBack } = options;
  const endMs = performance.now() + noticeMs - MARGIN_MS;
  pause.set("worker-stopping", true);
  for (;;) {
    const leftMs = endMs - performance.now();
    const running = readRunning();
    if (running.length === 0 || leftMs <= 0) return;
    // The database is down, so handing back would fail, too.
    const needed = await estimate(running).catch(() => null);
    if (needed) {
      for (const task of running) if ((needed.get(task) ?? Infinity) > leftMs) handBack(task);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(CHECK_MS, leftMs)));
  }
}
