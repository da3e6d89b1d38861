import { type Kysely, sql } from "kysely";

/** What the things were called that somebody did something to: they may be gone by the time it is read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entries add column subject_name text`.execute(db);
}
