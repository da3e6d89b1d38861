import type { PgBoss } from "pg-boss";
import { shiftStartTimes } from "../task-table.ts";

const LOOK_MS = 1_000;
/** Clock adjustments move it by less. */
const SMALLEST_JUMP_MS = 2_000;

/**
 * Moves start times when the machine's clock is set back: the embedded database uses that clock, and due tasks would
 * otherwise wait until it shows the old time again. Returns a function that stops this.
 */
export function followClock(boss: PgBoss, onError: (fault: Error) => void): () => void {
  let offset = readOffset();
  const look = (): void => {
    const jumpMs = readOffset() - offset;
    offset += jumpMs;
    if (jumpMs > -SMALLEST_JUMP_MS) return;
    shiftStartTimes(boss.getDb(), jumpMs).catch(onError);
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns how far the machine's clock is ahead of a monotonic one, in milliseconds. */
function readOffset(): number {
  return Date.now() - performance.now();
}
