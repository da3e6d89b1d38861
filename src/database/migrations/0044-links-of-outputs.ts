import { type Kysely, sql } from "kysely";

/**
 * Lets an output have a route in Cloak Manager: at most one. A deleted job leaves its routes. `links_change` is the
 * number of the change to routes that made a job's last ones, so that they are known to be published.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table routes add column output_id uuid references job_outputs on delete set null`.execute(db);
  await sql`create unique index routes_by_output on routes (output_id)`.execute(db);
  await sql`alter table jobs add column links_change bigint`.execute(db);
}
