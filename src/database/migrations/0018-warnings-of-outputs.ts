import { type Kysely, sql } from "kysely";

/** Adds the warnings of an output that falls short of the request, as a list of `{code, message}`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs add column warnings jsonb not null default '[]'`.execute(db);
}
