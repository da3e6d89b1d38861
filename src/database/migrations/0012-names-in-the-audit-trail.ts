import { type Kysely, sql } from "kysely";

/** Subjects may be deleted before the audit log is read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entries add column subject_name text`.execute(db);
}
