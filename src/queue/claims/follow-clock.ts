import type { PgBoss } from "pg-boss";
import { repeat } from "#ground/repeat.ts";
import { shiftStartTimes } from "../task-table.ts";

const INTERVAL_MS = 1_000;
const SMALLEST_JUMP_MS = 2_000;

/**
 * Moves start times when the machine's clock, which its own database uses, is set back; due tasks would otherwise
 * wait. Until `signal` aborts.
 */
export function followClock(
  boss: PgBoss,
  { signal, onError }: { signal: AbortSignal; onError: (error: Error) => void },
): void {
  let offset = readOffset();
  const check = async (): Promise<void> => {
    const jumpMs = readOffset() - offset;
    offset += jumpMs;
    if (jumpMs <= -SMALLEST_JUMP_MS) await shiftStartTimes(boss.getDb(), jumpMs);
  };
  repeat(check, { everyMs: INTERVAL_MS, signal, onError });
}

function readOffset(): number {
  return Date.now() - performance.now();
}
