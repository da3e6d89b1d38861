import { checkFolder } from "#operations/watch-folders/check/check-folder.ts";
import { reviveChecks } from "#operations/watch-folders/check/schedule-checks.ts";
import { listLocalNames } from "#operations/watch-folders/local/local-folders.ts";
import { type WatchContext, WATCHER } from "#operations/watch-folders/watch-context.ts";
import type { ServerContext } from "../server-context.ts";
import { workOnServer } from "./work-on-server.ts";

/** A folder with large files must not block the others. */
const CHECKS_AT_ONCE = 2;

/** Any number of servers share the folders; only those that have a local folder check it. */
export async function startWatching(
  server: Omit<WatchContext, "actor"> & Pick<ServerContext, "log">,
): Promise<{ stop(): Promise<void> }> {
  const context = { ...server, actor: WATCHER };
  await reviveChecks(server);
  return await workOnServer(server, server.queue.folders, {
    concurrency: CHECKS_AT_ONCE,
    labels: () => listLocalNames(server.localRoots),
    idOf: (task) => task.folderId,
    handle: (task) => checkFolder(context, task),
    failure: "could not check a watch folder",
  });
}
