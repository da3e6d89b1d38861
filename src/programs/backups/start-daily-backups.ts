import { repeat } from "#ground/repeat.ts";
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
  const check = async (signal: AbortSignal): Promise<void> => {
    const folder = await backUpDaily({ db: database.db, dataDir }, signal);
    if (folder !== null) log.info({ folder }, "backed up the database");
  };
  const checking = repeat(check, {
    everyMs: lookAgainMs,
    firstMs: firstLookMs,
    onError: (error) => log.error({ err: error }, "the daily database backup failed; retrying in ten minutes"),
  });
  return { [Symbol.asyncDispose]: () => checking.stop() };
}
