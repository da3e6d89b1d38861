import { type Kysely, sql } from "kysely";

/** If the place has changed since the last attempt, the next one starts over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deliveries add column place text`.execute(db);
}
