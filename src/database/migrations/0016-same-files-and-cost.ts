import { type Kysely, sql } from "kysely";

/** Identical files of a job share storage by content key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs add column content_key text`.execute(db);
  await sql`create index on job_outputs (job_id, content_key) where storage_key is not null`.execute(db);
  await sql`alter table job_videos add column cost_minutes float8`.execute(db);
}
