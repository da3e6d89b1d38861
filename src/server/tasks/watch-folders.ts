import { checkFolder } from "#operations/watch-folders/check/check-folder.ts";
import { claimFolder } from "#operations/watch-folders/check/claim-folder.ts";
import { listLocalNames } from "#operations/watch-folders/local/local-folders.ts";
import { type WatchContext, WATCHER } from "#operations/watch-folders/watch-context.ts";
import type { ServerContext } from "../server-context.ts";

const POLL_MS = 2_000;
/** A folder with large files must not hold up the others. */
const CHECKS_AT_ONCE = 2;

/** Checks watch folders when they are due. Any number of servers can do so at the same time. */
export function startWatching(server: Omit<WatchContext, "actor"> & Pick<ServerContext, "log">): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const context = { ...server, actor: WATCHER };
  const running = new Set<Promise<void>>();
  let isReached = true;
  let polling: Promise<void> | null = null;

  async function startDue(): Promise<void> {
    try {
      const names = await listLocalNames(server.localRoots);
      while (running.size < CHECKS_AT_ONCE && !stopping.signal.aborted) {
        const folder = await claimFolder(server, names);
        if (!folder) break;
        const check = checkFolder(context, folder, stopping.signal)
          .catch((error: unknown) =>
            server.log.error({ err: error, folder: folder.id }, "could not check a watch folder"),
          )
          .finally(() => running.delete(check));
        running.add(check);
      }
      isReached = true;
    } catch (error) {
      // Logged once per outage.
      if (isReached) server.log.warn({ err: error }, "could not look for watch folders that are due; retrying");
      isReached = false;
    }
  }
  const poll = (): void => {
    polling ??= startDue().finally(() => (polling = null));
  };
  const timer = setInterval(poll, POLL_MS);
  poll();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await polling;
      await Promise.all(running);
    },
  };
}
