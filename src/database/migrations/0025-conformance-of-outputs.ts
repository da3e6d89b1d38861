import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs add column conformance jsonb`.execute(db);
}
