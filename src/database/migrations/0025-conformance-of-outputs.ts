import { type Kysely, sql } from "kysely";

/** How the file meets its platform's rules; null without a platform. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs add column conformance jsonb`.execute(db);
}
