import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/**
 * After a restore: files posted since the backup would be posted again, and nothing recognizes a post that only the lost
 * database knew. Returns the number of destinations.
 */
export async function turnOffPosting(db: Kysely<Tables>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("destinations")
    .set((eb) => ({ enabled: false, version: eb("version", "+", 1), updated_at: sql<string>`now()` }))
    .where("kind", "=", "postiz")
    .where("enabled", "=", true)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
