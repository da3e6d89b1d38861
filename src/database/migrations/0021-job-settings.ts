import { type Kysely, sql } from "kysely";

/** Adds a column for job settings that have no column of their own, by name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column settings jsonb not null default '{}'`.execute(db);
}
