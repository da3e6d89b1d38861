import { setTimeout as delay } from "node:timers/promises";
import { wakeWaiting } from "#operations/hosts/wake-waiting.ts";
import type { WorkerContext } from "../worker-context.ts";

const INTERVAL_MS = 1_000;

/** Checks every second whether a resting host can be probed. */
export function wakeHosts({ context, readNow, log }: Pick<WorkerContext, "context" | "readNow" | "log">): {
  stop: () => Promise<void>;
} {
  const stopping = new AbortController();
  const check = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Nothing can be retried without the database; other code reports that.
      await wakeWaiting(context, readNow).catch((error: unknown) => {
        log.debug({ err: error }, "could not check the waiting videos");
      });
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
