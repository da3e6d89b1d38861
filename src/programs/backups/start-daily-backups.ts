import { backUpDaily } from "#operations/backup/daily-backups.ts";
import type { Foundation } from "../open-foundation.ts";

/** Early enough for an installation that runs an hour a day. */
const FIRST_CHECK_MS = 60_000;
/** Also the retry delay. */
const CHECK_AGAIN_MS = 10 * 60_000;

/** Disposing aborts a backup and removes what it wrote. */
export function startDailyBackups(
  { database, dataDir, log }: Pick<Foundation, "database" | "dataDir" | "log">,
  { firstLookMs, lookAgainMs } = { firstLookMs: FIRST_CHECK_MS, lookAgainMs: CHECK_AGAIN_MS },
): AsyncDisposable {
  const stopping = new AbortController();
  const check = async (): Promise<void> => {
    try {
      const folder = await backUpDaily({ db: database.db, dataDir }, stopping.signal);
      if (folder !== null) log.info({ folder }, "backed up the database");
    } catch (error) {
      if (!stopping.signal.aborted) {
        log.error({ err: error }, "the daily database backup failed; retrying in ten minutes");
      }
    }
    if (!stopping.signal.aborted) checkIn(lookAgainMs);
  };
  let timer: NodeJS.Timeout;
  let running = Promise.resolve();
  const checkIn = (waitMs: number): void => {
    timer = setTimeout(() => {
      running = check();
    }, waitMs);
  };
  checkIn(firstLookMs);
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      stopping.abort();
      await running;
    },
  };
}
