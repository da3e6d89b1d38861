import type { Logger } from "pino";
import { DatabaseOutage } from "#database/server/database-outage.ts";
import { retry } from "#ground/repeat.ts";

const PAUSES = { firstMs: 500, mostMs: 500 };

/**
 * Repeats `start` while the database is away, for example during its restart: a supervisor gives up after repeated
 * restarts of a program. A failed `start` must leave nothing open.
 */
export async function awaitDatabase<Started>(log: Logger, start: () => Promise<Started>): Promise<Started> {
  let isFirst = true;
  return await retry(start, {
    ...PAUSES,
    onError: (error) => {
      if (!isOutage(error)) throw error;
      if (isFirst) log.warn({ err: error }, "waiting for the database, which is not responding");
      isFirst = false;
    },
  });
}

/** Closing what was opened may fail, too. */
function isOutage(error: unknown): boolean {
  return error instanceof DatabaseOutage || (error instanceof SuppressedError && isOutage(error.suppressed));
}
