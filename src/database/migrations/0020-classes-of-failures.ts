import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["job_videos", "job_outputs"]) {
    await sql`alter table ${sql.table(table)}
      add column error_code text, add column error_step text, add column error_tail text`.execute(db);
  }
}
