import type { z } from "zod";
import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { WatchFolder } from "#contract/watch-folders/watch-folders.ts";
import { changeWatchFolderSchema, type watchFolderIdSchema } from "#contract/watch-folders/watch-requests.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { makeDue } from "./check/schedule-checks.ts";
import {
  readWatchFolder,
  requireConnection,
  requireFreeName,
  requireLinkScope,
  requirePreset,
  watchFolderGone,
} from "./add-watch-folder.ts";

type FolderId = z.output<typeof watchFolderIdSchema>;
type ChangeContext = Pick<Context, "db" | "queue"> & ActorContext;

/**
 * Replaces all fields. Resumes a folder that paused itself. Throws ClipmillError "invalid", "not_found" or "conflict".
 */
export async function changeWatchFolder(context: ChangeContext, body: unknown): Promise<WatchFolder> {
  const { id, version, connection_id: connection, ...fields } = parseInput(changeWatchFolderSchema, body);
  await context.db.transaction().execute(async (trx) => {
    await lockChanges(trx, "watch_folders");
    const row = await lockRow(trx, id);
    if (row.version !== version) {
      throw new ClipmillError(
        "conflict",
        "This watch folder was changed elsewhere. Reopen it, check its current values, then make your change again.",
      );
    }
    await requireFreeName(trx, fields.name, id);
    await requirePreset(trx, context.actor, fields.preset_id);
    if (connection !== undefined) await requireConnection(trx, row.kind, connection);
    const isPausedByItself = row.pause_reason !== null;
    await trx
      .updateTable("watch_folders")
      .set({
        ...fields,
        ...(connection && { connection_id: connection }),
        version: version + 1,
        updated_at: sql<string>`now()`,
        ...(isPausedByItself && { paused_at: null, pause_reason: null }),
      })
      .where("id", "=", id)
      .execute();
    await writeAudit(trx, context.actor, { action: "watch_folders.change", subjects: [id] });
    await makeDue(context, trx, id);
  });
  return await readWatchFolder(context, id);
}

/** Forgets the folder's files; a missing folder counts as removed. Jobs stay. */
export async function removeWatchFolder(context: ChangeContext, { id }: FolderId): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await writeAuditIfThere(trx, context, id);
    await trx.deleteFrom("watch_folders").where("id", "=", id).execute();
    await context.queue.folders.cancelWaiting(trx, [id]);
  });
}

async function writeAuditIfThere(trx: Transaction<Tables>, { actor }: ActorContext, id: string): Promise<void> {
  const row = await trx.selectFrom("watch_folders").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
  if (row) await writeAudit(trx, actor, { action: "watch_folders.delete", subjects: [id] });
}

/** A check in progress starts no more jobs. */
export async function pauseWatchFolder(context: ChangeContext, request: FolderId): Promise<WatchFolder> {
  return await setPaused(context, request, true);
}

/** The folder is checked within seconds. */
export async function resumeWatchFolder(context: ChangeContext, request: FolderId): Promise<WatchFolder> {
  return await setPaused(context, request, false);
}

async function setPaused(context: ChangeContext, request: FolderId, isPaused: boolean): Promise<WatchFolder> {
  const { id } = request;
  await context.db.transaction().execute(async (trx) => {
    const row = await lockRow(trx, id);
    if ((row.paused_at !== null) === isPaused) return;
    if (!isPaused) await requireLinkScope(trx, context.actor, row.preset_id);
    const state = isPaused
      ? { paused_at: sql<string>`now()`, pause_reason: null, last_fault: null }
      : { paused_at: null, pause_reason: null };
    await trx.updateTable("watch_folders").set(state).where("id", "=", id).execute();
    const action = isPaused ? "watch_folders.pause" : "watch_folders.resume";
    await writeAudit(trx, context.actor, { action, subjects: [id] });
    if (!isPaused) await makeDue(context, trx, id);
  });
  return await readWatchFolder(context, id);
}

/** The check starts within seconds. Throws ClipmillError "not_found", or "conflict" if the folder is paused. */
export async function checkWatchFolderNow(
  context: Pick<Context, "db" | "queue">,
  { id }: FolderId,
): Promise<WatchFolder> {
  await context.db.transaction().execute(async (trx) => {
    requireRunning(await lockRow(trx, id));
    await makeDue(context, trx, id);
  });
  return await readWatchFolder(context, id);
}

/** Throws ClipmillError "conflict" for a paused folder. */
export function requireRunning({ paused_at: pausedAt }: { paused_at: string | null }): void {
  if (pausedAt !== null) throw new ClipmillError("conflict", "This watch folder is paused. Resume it first.");
}

/** Throws ClipmillError "not_found". */
export async function lockRow(trx: Transaction<Tables>, id: string) {
  const row = await trx.selectFrom("watch_folders").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  if (!row) throw watchFolderGone();
  return row;
}
