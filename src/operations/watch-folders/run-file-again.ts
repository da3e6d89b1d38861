import type { z } from "zod";
import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { isCopied } from "#contract/watch-folders/watch-folders.ts";
import type { runFileAgainSchema } from "#contract/watch-folders/watch-requests.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { lockRow, requireRunning } from "./change-watch-folder.ts";
import { isCopyDeleted } from "./check/deleted-copies.ts";
import { makeDue } from "./check/schedule-checks.ts";
import { requireLinkScope } from "./add-watch-folder.ts";

/**
 * Also for files that were taken or skipped before. Throws ClipmillError "not_found", or "conflict" if the file is
 * already waiting, no longer exists, or its folder is paused.
 */
export async function runFileAgain(
  context: Pick<Context, "db" | "queue"> & ActorContext,
  { file_id: fileId }: z.output<typeof runFileAgainSchema>,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const at = await trx.selectFrom("watch_files").select("folder_id").where("id", "=", fileId).executeTakeFirst();
    if (!at) throw fileGone();
    const folder = await lockRow(trx, at.folder_id);
    requireRunning(folder);
    await requireLinkScope(trx, context.actor, folder.preset_id);
    const file = await trx
      .selectFrom("watch_files")
      .select(["path", "link", "missing_since", isCopyDeleted.as("isCopyDeleted")])
      .where("id", "=", fileId)
      .executeTakeFirst();
    if (!file) throw fileGone();
    const waiting = await trx
      .selectFrom("watch_files")
      .select("id")
      .where("folder_id", "=", folder.id)
      .where("path", "=", file.path)
      .where("state", "=", "seen")
      .executeTakeFirst();
    if (waiting) throw new ClipmillError("conflict", "This file is already waiting.");
    const isInLibrary = isCopied(folder.kind) && file.link !== null && !file.isCopyDeleted;
    if (file.missing_since !== null && !isInLibrary) {
      throw new ClipmillError("conflict", "This file is no longer in the folder.");
    }
    if (file.link === null && !isCopied(folder.kind)) {
      throw new ClipmillError("conflict", "This name can't be used in a job. Rename the file.");
    }
    await trx
      .updateTable("watch_files")
      .set({ state: "seen", reason: null, attempts: 0, same_since: sql<string>`now()` })
      .where("id", "=", fileId)
      .execute();
    await makeDue(context, trx, folder.id);
    await writeAudit(trx, context.actor, { action: "watch_folders.run-again", subjects: [folder.id] });
  });
}

function fileGone(): ClipmillError {
  return new ClipmillError("not_found", "This file is no longer in the list.");
}
