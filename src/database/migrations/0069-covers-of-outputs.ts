import { type Kysely, sql } from "kysely";

/** Size and CRC-32 of the cover stored beside the file; null without one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs add column cover jsonb`.execute(db);
  await sql`alter table job_kept_files add column cover jsonb`.execute(db);
}
