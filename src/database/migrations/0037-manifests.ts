import { type Kysely, sql } from "kysely";

/**
 * Adds what a manifest says about an output and nothing else has: its part of the source, the link of its music, and
 * its file's SHA-256. Unknown for older outputs. `name_key` keeps names by a pattern apart, whatever their case.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs
    add column start_seconds double precision,
    add column end_seconds double precision,
    add column track_link text,
    add column sha256 text,
    add column name_key text`.execute(db);
  await sql`create unique index job_outputs_by_name_key on job_outputs (job_id, name_key)`.execute(db);
}
