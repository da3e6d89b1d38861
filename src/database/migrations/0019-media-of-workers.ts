import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workers add column media jsonb`.execute(db);
  await sql`update workers set version = split_part(version, ' ', 1)`.execute(db);
}
