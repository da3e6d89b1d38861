import { type Kysely, sql } from "kysely";

/** Adds the measured speed of a running job, for estimating the remaining time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs
    add column speed double precision,
    add column speed_measured_at timestamptz(3),
    add column speed_measured_progress double precision`.execute(db);
}
