import { type Kysely, sql } from "kysely";

/** Names in the audit log, because subjects may be deleted before it is read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entries add column subject_name text`.execute(db);
}
