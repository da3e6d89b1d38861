import type { PauseReasons } from "./pause-reasons.ts";

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
