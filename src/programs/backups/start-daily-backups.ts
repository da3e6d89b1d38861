/** Has the embedded database backed up once a day, while Clipmill runs. */
import { backUpDaily } from "#operations/backup/daily-backups.ts";
import type { Foundation } from "../open-foundation.ts";

/** So soon after a start that an installation which runs an hour a day is backed up, too. */
const FIRST_LOOK_MS = 60_000;
/** Also how soon a backup that failed is tried again. */
const LOOK_AGAIN_MS = 10 * 60_000;

/** Starts it; a stop ends a backup that is being made, with nothing left of it. */
export function startDailyBackups(
  { database, dataDir, log }: Pick<Foundation, "database" | "dataDir" | "log">,
  { firstLookMs, lookAgainMs } = { firstLookMs: FIRST_LOOK_MS, lookAgainMs: LOOK_AGAIN_MS },
): AsyncDisposable {
  const stopping = new AbortController();
  const look = async (): Promise<void> => {
    try {
      const folder = await backUpDaily({ db: database.db, dataDir }, stopping.signal);
      if (folder !== null) log.info({ folder }, "backed up the database");
    } catch (error) {
      if (!stopping.signal.aborted) {
        log.error({ err: error }, "the daily backup of the database failed; trying again in ten minutes");
      }
    }
    if (!stopping.signal.aborted) lookIn(lookAgainMs);
  };
  let timer: NodeJS.Timeout;
  let going = Promise.resolve();
  const lookIn = (waitMs: number): void => {
    timer = setTimeout(() => {
      going = look();
    }, waitMs);
  };
  lookIn(firstLookMs);
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      stopping.abort();
      await going;
    },
  };
}
