/** Last reported version; not the last published one if its newest file is damaged. */
import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

const NAME = "served_version";

/** Does nothing if another version was recorded after `askedAt`. */
export async function recordServedVersion(db: Kysely<Tables>, version: number, askedAt: string): Promise<void> {
  const value = String(version);
  // An older report that arrives now would be corrected by the next one; a write every ten seconds costs more.
  if ((await readServedVersion(db)) === version) return;
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

/** Never lowers the number: concurrent publishes may be recorded out of order. */
export async function recordAcceptedVersion(db: Kysely<Tables>, version: number): Promise<void> {
  const value = String(version);
  await db
    .insertInto("settings")
    .values({ name: NAME, value })
    .onConflict((row) =>
      row
        .column("name")
        .doUpdateSet({ value, updated_at: sql<string>`clock_timestamp()` })
        .where(sql<number>`settings.value::bigint`, "<", version),
    )
    .execute();
}

/** Null before the first report, 0 if nothing is served. */
export async function readServedVersion(db: Kysely<Tables>): Promise<number | null> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row ? Number(row.value) : null;
}

export async function readDatabaseTimestamp(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}
