import type { PgBoss } from "pg-boss";
import { shiftStartTimes } from "../task-table.ts";

const INTERVAL_MS = 1_000;
const SMALLEST_JUMP_MS = 2_000;

/**
 * Moves start times when the machine's clock, which its own database uses, is set back; due tasks would otherwise
 * wait. Returns a stop function.
 */
export function followClock(boss: PgBoss, onError: (fault: Error) => void): () => void {
  let offset = readOffset();
  const check = (): void => {
    const jumpMs = readOffset() - offset;
    offset += jumpMs;
    if (jumpMs > -SMALLEST_JUMP_MS) return;
    shiftStartTimes(boss.getDb(), jumpMs).catch(onError);
  };
  const timer = setInterval(check, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function readOffset(): number {
  return Date.now() - performance.now();
}
