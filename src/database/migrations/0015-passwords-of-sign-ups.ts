import { type Kysely, sql } from "kysely";

/** The password of a sign-up goes with its own mail: an address may be signed up by several people before one confirms it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_tokens add column password_hash text`.execute(db);
}
