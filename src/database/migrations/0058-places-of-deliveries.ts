import { type Kysely, sql } from "kysely";

/** An attempt that finds another place than the one before starts over there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deliveries add column place text`.execute(db);
}
