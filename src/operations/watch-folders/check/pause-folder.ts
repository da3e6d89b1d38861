import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import { WATCHER } from "../watch-context.ts";

/** For a folder that cannot continue until an operator changes something. Does nothing if it is already paused. */
export async function pauseItself(trx: Transaction<Tables>, id: string, reason: string): Promise<void> {
  const paused = await trx
    .updateTable("watch_folders")
    .set({ paused_at: sql<string>`now()`, pause_reason: reason, last_fault: null })
    .where("id", "=", id)
    .where("paused_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (paused) await writeAudit(trx, WATCHER, { action: "watch_folders.pause", subjects: [id] });
}
