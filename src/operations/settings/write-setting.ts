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

/** Returns the encoded value, which no other transaction can change before this one ends; null if there is none. */
export async function lockSetting(trx: Kysely<Tables>, name: string): Promise<string | null> {
  const row = await trx.selectFrom("settings").select("value").where("name", "=", name).forUpdate().executeTakeFirst();
  return row?.value ?? null;
}

/** Returns false if there was none. */
export async function removeSetting(db: Kysely<Tables>, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("settings").where("name", "=", name).executeTakeFirst();
  return numDeletedRows > 0n;
}
