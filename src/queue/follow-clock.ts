import type { PgBoss } from "pg-boss";
import { CAPTIONS, VIDEOS } from "./create-queues.ts";

const LOOK_MS = 1_000;
/** Less is what a clock that is being adjusted does by itself. */
const SMALLEST_JUMP_MS = 2_000;

/**
 * An embedded database has the machine's clock for its own. When that is set back, tasks that could start now would be due
 * only when it shows the old time again: they are put forward by as much. Returns the stop.
 */
export function followClock(boss: PgBoss, onFault: (fault: Error) => void): () => void {
  let offset = readOffset();
  const look = (): void => {
    const jumpMs = readOffset() - offset;
    offset += jumpMs;
    if (jumpMs > -SMALLEST_JUMP_MS) return;
    boss
      .getDb()
      .executeSql(
        `update pgboss.job set start_after = start_after + $1 * interval '1 ms'
         where name = any($2) and state < 'active' and start_after > now()`,
        [jumpMs, [VIDEOS, CAPTIONS]],
      )
      .catch(onFault);
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Where the machine's clock is on one that nobody sets. */
function readOffset(): number {
  return Date.now() - performance.now();
}
