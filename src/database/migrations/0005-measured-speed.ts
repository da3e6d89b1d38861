import { type Kysely, sql } from "kysely";

/** How fast a job gets on, measured while it runs: for an honest time left. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs
    add column speed double precision,
    add column speed_measured_at timestamptz(3),
    add column speed_measured_progress double precision`.execute(db);
}
