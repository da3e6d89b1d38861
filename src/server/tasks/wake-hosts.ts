import { readDatabaseTime } from "#operations/hosts/read-database-time.ts";
import { wakeWaiting } from "#operations/hosts/wake-waiting.ts";
import type { ServerContext } from "../server-context.ts";

const INTERVAL_MS = 10_000;

/**
 * Workers do this every second. The server does it for workers that exit when idle: a woken task counts in queue_load(),
 * so that an autoscaler starts a worker for it.
 */
export function startWakingHosts(server: Pick<ServerContext, "db" | "queue" | "log">): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const wake = async (): Promise<void> => {
    try {
      await wakeWaiting(server, () => readDatabaseTime(server));
    } catch (error) {
      // Without the database nothing can be retried; other code reports that.
      server.log.debug({ err: error }, "could not check the waiting tasks");
    }
  };
  const start = (): void => {
    running ??= wake().finally(() => (running = null));
  };
  const timer = setInterval(start, INTERVAL_MS);
  start();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
