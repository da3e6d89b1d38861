import { type Kysely, sql } from "kysely";

/**
 * These functions join a table's rows before and after a change. PostgreSQL keeps the plan of the first call, usually of
 * one row: a nested loop, which compares every row with every other. Canceling a job of 10,000 videos took 19 s instead
 * of 1 s.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["jobs", "job_videos", "job_outputs", "deliveries"]) {
    await sql.raw(`alter function notify_update_of_${table}() set enable_nestloop = off`).execute(db);
  }
}
