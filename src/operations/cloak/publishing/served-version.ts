/**
 * Which version the redirector serves, as it said last. It may be another than the one published last: its disk was
 * replaced, or its newest file damaged.
 */
import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

const NAME = "served_version";

/** Notes what the redirector said; not when something newer was noted after it was asked. */
export async function noteServedVersion(db: Kysely<Tables>, version: number, askedAt: string): Promise<void> {
  const value = String(version);
  await db
    .insertInto("settings")
    .values({ name: NAME, value })
    .onConflict((row) =>
      row
        .column("name")
        .doUpdateSet({ value, updated_at: sql<string>`clock_timestamp()` })
        .where("settings.updated_at", "<", askedAt),
    )
    .execute();
}

/** Null while it has not said anything yet; 0 when it serves nothing. */
export async function readServedVersion(db: Kysely<Tables>): Promise<number | null> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row ? Number(row.value) : null;
}

/** The database's time, which all servers share. */
export async function readDatabaseTime(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}
