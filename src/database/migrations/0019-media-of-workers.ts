import { type Kysely, sql } from "kysely";

/** Adds the media programs of each worker, which were part of its version until now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workers add column media jsonb`.execute(db);
  await sql`update workers set version = split_part(version, ' ', 1)`.execute(db);
}
