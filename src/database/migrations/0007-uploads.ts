import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_files
    add column digest text,
    add column stored_at timestamptz(3) default now()`.execute(db);
  await sql`create index library_files_digest on library_files (digest)`.execute(db);
}
