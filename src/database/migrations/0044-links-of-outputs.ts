import { type Kysely, sql } from "kysely";

/**
 * An output has at most one route, which outlives a deleted job. `links_change` numbers the change to routes that made
 * a job's last links, to tell when they are published.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table routes add column output_id uuid references job_outputs on delete set null`.execute(db);
  await sql`create unique index routes_by_output on routes (output_id)`.execute(db);
  await sql`alter table jobs add column links_change bigint`.execute(db);
}
