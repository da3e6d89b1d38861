import { type Kysely, sql } from "kysely";

/** Adds what is worse about a delivered file than was asked for, as a list of `{code, message}`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs add column warnings jsonb not null default '[]'`.execute(db);
}
