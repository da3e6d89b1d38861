import { type Kysely, sql } from "kysely";

/** Adds the names of subjects to the audit log, because they may be deleted before it is read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entries add column subject_name text`.execute(db);
}
