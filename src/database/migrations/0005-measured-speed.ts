import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs
    add column speed double precision,
    add column speed_measured_at timestamptz(3),
    add column speed_measured_progress double precision`.execute(db);
}
