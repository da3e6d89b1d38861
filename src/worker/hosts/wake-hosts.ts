import { repeat } from "#ground/repeat.ts";
import { wakeWaiting } from "#operations/hosts/wake-waiting.ts";
import type { WorkerContext } from "../worker-context.ts";

const INTERVAL_MS = 1_000;
/** Without tasks nothing waits for a host, so cooling hosts need rare checks only. */
const QUIET_INTERVALS = 30;

/** Looks for hosts to probe every second, while there are tasks or cooling hosts. */
export function wakeHosts({ context, readNow, log }: Pick<WorkerContext, "context" | "readNow" | "log">): {
  stop: () => Promise<void>;
} {
  let isAnyAway = true;
  let second = 0;
  const check = async (): Promise<void> => {
    const isDue = isAnyAway || context.queue.mayHaveTasks() || second % QUIET_INTERVALS === 0;
    second += 1;
    if (!isDue) return;
    isAnyAway = true;
    isAnyAway = await wakeWaiting(context, readNow);
  };
  return repeat(check, {
    everyMs: INTERVAL_MS,
    // Without the database nothing can be retried; other code reports that.
    onError: (error) => log.debug({ err: error }, "could not check the waiting videos"),
  });
}
