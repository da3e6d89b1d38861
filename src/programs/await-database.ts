import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DatabaseOutage } from "#database/server/database-outage.ts";

const AGAIN_MS = 500;

/**
 * Repeats `start` while the database is away, for example during its restart: a supervisor gives up after repeated
 * restarts of a program. A failed `start` must leave nothing open.
 */
export async function awaitDatabase<Started>(log: Logger, start: () => Promise<Started>): Promise<Started> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await start();
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (isFirst) log.warn({ err: error }, "waiting for the database, which is not responding");
      await delay(AGAIN_MS);
    }
  }
}

/** Closing what was opened may fail, too. */
function isOutage(error: unknown): boolean {
  return error instanceof DatabaseOutage || (error instanceof SuppressedError && isOutage(error.suppressed));
}
