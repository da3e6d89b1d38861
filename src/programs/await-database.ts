import type { Logger } from "pino";
import { isDatabaseOutage } from "#database/server/database-outage.ts";
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
      if (!isDatabaseOutage(error)) throw error;
      if (isFirst) log.warn({ err: error }, "waiting for the database, which is not responding");
      isFirst = false;
    },
  });
}
