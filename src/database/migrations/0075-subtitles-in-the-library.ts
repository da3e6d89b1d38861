import { type Kysely, sql } from "kysely";

/** The library takes subtitle files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_files
    drop constraint library_files_kind_check,
    add constraint library_files_kind_check check (kind in ('video', 'audio', 'image', 'subtitles'))`.execute(db);
}
