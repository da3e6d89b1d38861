import { type Selectable, sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import type { WatchContext } from "../watch-context.ts";
import { holdClaim } from "./claim-folder.ts";
import { judgeFile } from "./judge-file.ts";
import { openFiles } from "./open-files.ts";
import { pauseItself } from "./pause-folder.ts";
import { recordListing } from "./record-listing.ts";
import { takeFiles } from "./take-files.ts";

type Folder = Selectable<Tables["watch_folders"]>;

const UNEXPECTED = "Clipmill could not check this folder. See the server's log.";

/**
 * Records errors of the folder or its host instead of throwing; a missing connection or key pauses the folder. Records
 * and throws unexpected errors.
 */
export async function checkFolder(context: WatchContext, folder: Folder, signal: AbortSignal): Promise<void> {
  using _ = holdClaim(context, folder.id);
  try {
    await using files = openFiles(context, folder, signal);
    const listed = await files.list();
    await recordListing(context, folder.id, listed.map(judgeFile));
    const isWaiting = await takeFiles(context, folder, files.copy, signal);
    await finish(context, folder, { last_fault: null, isWaiting });
  } catch (error) {
    if (signal.aborted) return await release(context, folder.id);
    const fault = error instanceof ClipmillError ? error.message : UNEXPECTED;
    if (error instanceof ClipmillError && error.code === "bad_key") {
      await context.db.transaction().execute((trx) => pauseItself(trx, folder.id, fault));
    }
    await finish(context, folder, { last_fault: fault, isWaiting: false });
    if (!(error instanceof ClipmillError)) throw error;
  }
}

/** Looks again as soon as a waiting file can have settled. */
async function finish(
  { db }: Pick<WatchContext, "db">,
  { id, settle_seconds: settle, interval_seconds: interval }: Folder,
  { last_fault, isWaiting }: { last_fault: string | null; isWaiting: boolean },
): Promise<void> {
  const seconds = isWaiting ? Math.min(settle, interval) : interval;
  await db
    .updateTable("watch_folders")
    .set({
      last_fault: sql<string | null>`case when paused_at is null then ${last_fault}::text end`,
      last_check_at: sql<string>`now()`,
      // A check requested meanwhile is already due.
      next_check_at: sql<string>`least(next_check_at, now() + make_interval(secs => ${seconds}::int))`,
      checked_until: null,
    })
    .where("id", "=", id)
    .execute();
}

async function release({ db }: Pick<WatchContext, "db">, id: string): Promise<void> {
  await db
    .updateTable("watch_folders")
    .set({ checked_until: null, next_check_at: sql<string>`now()` })
    .where("id", "=", id)
    .execute();
}
