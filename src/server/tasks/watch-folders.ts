import type { Database } from "#database/open-database.ts";
import { checkFolder } from "#operations/watch-folders/check/check-folder.ts";
import { claimFolder, isAnyWatched } from "#operations/watch-folders/check/claim-folder.ts";
import { listLocalNames } from "#operations/watch-folders/local/local-folders.ts";
import { WATCH_CHANNEL } from "#operations/watch-folders/store-watch-folder.ts";
import { type WatchContext, WATCHER } from "#operations/watch-folders/watch-context.ts";
import type { ServerContext } from "../server-context.ts";

const POLL_MS = 2_000;
/** Without watch folders; covers a missed notice of the first. */
const QUIET_POLLS = 15;
/** A folder with large files must not block the others. */
const CHECKS_AT_ONCE = 2;

/** Any number of servers can check folders at the same time. */
export async function startWatching(
  server: Omit<WatchContext, "actor"> & Pick<ServerContext, "log">,
  database: Pick<Database, "listen">,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const context = { ...server, actor: WATCHER };
  const running = new Set<Promise<void>>();
  let isReached = true;
  let polling: Promise<void> | null = null;
  let isQuiet = false;
  let quietPolls = 0;
  let isNoticed = false;

  async function startDue(): Promise<void> {
    isNoticed = false;
    try {
      const names = await listLocalNames(server.localRoots);
      while (running.size < CHECKS_AT_ONCE && !stopping.signal.aborted) {
        const folder = await claimFolder(server, names);
        if (!folder) {
          isQuiet = !(await isAnyWatched(server)) && !isNoticed;
          break;
        }
        const check = checkFolder(context, folder, stopping.signal)
          .catch((error: unknown) =>
            server.log.error({ err: error, folder: folder.id }, "could not check a watch folder"),
          )
          .finally(() => running.delete(check));
        running.add(check);
      }
      isReached = true;
    } catch (error) {
      isQuiet = false;
      // Logged once per outage.
      if (isReached) server.log.warn({ err: error }, "could not look for watch folders that are due; retrying");
      isReached = false;
    }
  }
  const poll = (): void => {
    if (isQuiet && ++quietPolls < QUIET_POLLS) return;
    quietPolls = 0;
    polling ??= startDue().finally(() => (polling = null));
  };
  const followNotice = (): void => {
    isNoticed = true;
    isQuiet = false;
    poll();
  };
  const unlisten = await database.listen(WATCH_CHANNEL, followNotice, followNotice);
  const timer = setInterval(poll, POLL_MS);
  poll();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await unlisten();
      await polling;
      await Promise.all(running);
    },
  };
}
