import { ClipmillError } from "#contract/errors.ts";
import type { Claimed, FolderTask } from "#queue/open-queue.ts";
import type { WatchContext } from "../watch-context.ts";
import { judgeFile } from "./judge-file.ts";
import { openFiles } from "./open-files.ts";
import { pauseItself } from "./pause-folder.ts";
import { recordListing } from "./record-listing.ts";
import { abandonCheck, endCheck, startCheck } from "./schedule-checks.ts";
import { takeFiles } from "./take-files.ts";

const UNEXPECTED = "Clipmill could not check this folder. See the server's log.";

/**
 * Checks a folder unless it is paused, and schedules the next check. Records errors of the folder or its host instead of
 * throwing; a missing connection or key pauses the folder. Records and throws unexpected errors. Throws when the task's
 * signal aborts, so that the task is put back. Concurrent checks do no harm.
 */
export async function checkFolder(context: WatchContext, task: Claimed<FolderTask>): Promise<void> {
  const folder = await startCheck(context, task);
  if (!folder) return;
  const { id, settle_seconds: settle, interval_seconds: interval } = folder;
  const { signal } = task;
  try {
    await using files = openFiles(context, folder, signal);
    const listed = await files.list();
    await recordListing(context, id, listed.map(judgeFile));
    const isWaiting = await takeFiles(context, folder, files.copy, signal);
    // Looks again as soon as a waiting file can have settled.
    const waitSeconds = isWaiting ? Math.min(settle, interval) : interval;
    await endCheck(context, task, { last_fault: null, waitSeconds });
  } catch (error) {
    if (signal.aborted) {
      await abandonCheck(context, id);
      throw error;
    }
    const fault = error instanceof ClipmillError ? error.message : UNEXPECTED;
    if (error instanceof ClipmillError && error.code === "bad_key") {
      await context.db.transaction().execute((trx) => pauseItself(trx, id, fault));
    }
    await endCheck(context, task, { last_fault: fault, waitSeconds: interval });
    if (!(error instanceof ClipmillError)) throw error;
  }
}
