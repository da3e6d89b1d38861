import { type Kysely, sql } from "kysely";

/**
 * Plans statements of frequent functions once per connection. By default, PostgreSQL plans each five times, then
 * whenever a custom plan may be cheaper; these find rows by id, so one plan fits all values.
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
