import { type Kysely, sql } from "kysely";

/** In the database, so thumbnails are backed up and deleted with their file's row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table library_thumbnails (
    file_id text primary key references library_files (id) on delete cascade,
    picture bytea,
    created_at timestamptz(3) not null default now()
  )`.execute(db);
}
