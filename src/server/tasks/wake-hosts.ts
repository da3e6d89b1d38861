import { repeat } from "#ground/repeat.ts";
import { readDatabaseTime, wakeWaiting } from "#operations/hosts/wake-waiting.ts";
import type { ServerContext } from "../server-context.ts";

const INTERVAL_MS = 10_000;

/**
 * Workers do this every second. The server does it for workers that exit when idle: a woken task counts in queue_load(),
 * so that an autoscaler starts a worker for it.
 */
export function startWakingHosts(server: Pick<ServerContext, "db" | "queue" | "log">): { stop(): Promise<void> } {
  const check = async (): Promise<void> => void (await wakeWaiting(server, () => readDatabaseTime(server)));
  return repeat(check, {
    everyMs: INTERVAL_MS,
    // Without the database nothing can be retried; other code reports that.
    onError: (error) => server.log.debug({ err: error }, "could not check the waiting tasks"),
  });
}
