import { type Kysely, sql } from "kysely";

/** Facts for the manifest, unknown for older outputs. `name_key` keeps pattern names distinct, ignoring case. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs
    add column start_seconds double precision,
    add column end_seconds double precision,
    add column track_link text,
    add column sha256 text,
    add column name_key text`.execute(db);
  await sql`create unique index job_outputs_by_name_key on job_outputs (job_id, name_key)`.execute(db);
}
