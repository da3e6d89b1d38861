import { setTimeout as delay } from "node:timers/promises";
import { wakeWaiting } from "#operations/hosts/wake-waiting.ts";
import type { WorkerContext } from "../worker-context.ts";

const INTERVAL_MS = 1_000;
/** Without tasks nothing waits for a host, so resting hosts need rare checks only. */
const QUIET_INTERVALS = 30;

/** Looks for hosts to probe every second, while there are tasks or resting hosts. */
export function wakeHosts({ context, readNow, log }: Pick<WorkerContext, "context" | "readNow" | "log">): {
  stop: () => Promise<void>;
} {
  const stopping = new AbortController();
  const check = async (): Promise<void> => {
    let isAnyAway = true;
    for (let second = 0; !stopping.signal.aborted; second++) {
      if (isAnyAway || context.queue.mayHaveTasks() || second % QUIET_INTERVALS === 0) {
        // Without the database nothing can be retried; other code reports that.
        isAnyAway = await wakeWaiting(context, readNow).catch((error: unknown) => {
          log.debug({ err: error }, "could not check the waiting videos");
          return true;
        });
      }
      await delay(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const checking = check();
  return {
    async stop() {
      stopping.abort();
      await checking;
    },
  };
}
