import { type Kysely, sql } from "kysely";

/** A small picture of each video in the library, kept beside its row: it is backed up and deleted with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table library_thumbnails (
    file_id text primary key references library_files (id) on delete cascade,
    picture bytea,
    created_at timestamptz(3) not null default now()
  )`.execute(db);
}
