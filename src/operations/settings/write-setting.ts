import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/** `updated_at` changes even if the value does not. The caller encodes the value, as JSON or sealed. */
export async function writeSetting(db: Kysely<Tables>, name: string, value: string): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name, value })
    .onConflict((row) => row.column("name").doUpdateSet({ value, updated_at: sql<string>`now()` }))
    .execute();
}

/** Returns false if there was none. */
export async function removeSetting(db: Kysely<Tables>, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("settings").where("name", "=", name).executeTakeFirst();
  return numDeletedRows > 0n;
}
