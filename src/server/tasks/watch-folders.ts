import type { Database } from "#database/open-database.ts";
import { repeat } from "#ground/repeat.ts";
import { checkFolder } from "#operations/watch-folders/check/check-folder.ts";
import { claimFolder, isAnyWatched } from "#operations/watch-folders/check/claim-folder.ts";
import { listLocalNames } from "#operations/watch-folders/local/local-folders.ts";
import { WATCH_CHANNEL } from "#operations/watch-folders/store-watch-folder.ts";
import { type WatchContext, WATCHER } from "#operations/watch-folders/watch-context.ts";
import type { ServerContext } from "../server-context.ts";

const POLL_MS = 2_000;
/** Without watch folders; covers a missed notice of the first. */
const QUIET_POLL_MS = 30_000;
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

  const start = (folder: Awaited<ReturnType<typeof claimFolder>> & {}): void => {
    const check = checkFolder(context, folder, stopping.signal)
      .catch((error: unknown) => server.log.error({ err: error, folder: folder.id }, "could not check a watch folder"))
      .finally(() => running.delete(check));
    running.add(check);
  };
  const startDue = async (): Promise<number | void> => {
    const names = await listLocalNames(server.localRoots);
    while (running.size < CHECKS_AT_ONCE && !stopping.signal.aborted) {
      const folder = await claimFolder(server, names);
      if (folder) start(folder);
      else return (await isAnyWatched(server)) ? POLL_MS : QUIET_POLL_MS;
    }
  };
  const polling = repeat(startDue, {
    everyMs: POLL_MS,
    onError(error, failures) {
      if (failures > 1) return;
      server.log.warn({ err: error }, "could not look for watch folders that are due; retrying");
    },
  });
  const unlisten = await database.listen(WATCH_CHANNEL, polling.notify, polling.notify);
  return {
    async stop() {
      stopping.abort();
      await unlisten();
      await polling.stop();
      await Promise.all(running);
    },
  };
}
