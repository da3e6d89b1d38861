import { type Kysely, sql } from "kysely";

/** A list of `{code, message}`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs add column warnings jsonb not null default '[]'`.execute(db);
}
