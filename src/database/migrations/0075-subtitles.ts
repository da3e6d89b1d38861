import { type Kysely, sql } from "kysely";

/** The library takes subtitle files, and outputs have the text of theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_files
    drop constraint library_files_kind_check,
    add constraint library_files_kind_check check (kind in ('video', 'audio', 'image', 'subtitles'))`.execute(db);
  await sql`create table output_subtitles (
    job_id uuid not null references jobs (id) on delete cascade,
    content_key text not null,
    srt text not null,
    primary key (job_id, content_key)
  )`.execute(db);
}
