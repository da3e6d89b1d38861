import { type Kysely, sql } from "kysely";

/** Identifies uploads in the library by content and distinguishes those that a crash left incomplete. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_files
    add column digest text,
    add column stored_at timestamptz(3) default now()`.execute(db);
  await sql`create index library_files_digest on library_files (digest)`.execute(db);
}
