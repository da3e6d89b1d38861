import { type Kysely, sql } from "kysely";

/**
 * Plans the statements of frequent functions once per connection. By default PostgreSQL plans each five times, and then
 * again whenever a plan for the very values may be cheaper; here all find rows by id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of FUNCTIONS) {
    await sql.raw(`alter function ${name} set plan_cache_mode = force_generic_plan`).execute(db);
  }
}

const FUNCTIONS = [
  "report_video",
  "advance_job",
  "share_job",
  "lock_job",
  "notify_update_of_job_videos",
  "notify_update_of_job_outputs",
];
