import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

const REASON =
  "Restored from a backup. Files that arrived since then would become jobs again: check them, then resume.";

/** The restored installation may also be a copy of one that still runs. Returns the number of folders. */
export async function pauseAllRestored(db: Kysely<Tables>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("watch_folders")
    .set({ paused_at: sql<string>`now()`, pause_reason: REASON })
    .where("paused_at", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
