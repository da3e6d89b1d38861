import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table watch_folders
    add column connection_id uuid references connections on delete set null,
    drop constraint watch_folders_kind_check,
    add constraint watch_folders_kind_check
      check (kind in ('local', 's3', 'google-drive', 'drive', 'dropbox', 'sftp'))`.execute(db);
}
