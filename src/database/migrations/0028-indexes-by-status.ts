import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index job_videos_by_status on job_videos (job_id, status)`.execute(db);
  await sql`create index job_outputs_completed on job_outputs (job_id) where status = 'Completed'`.execute(db);
}
