import { type Kysely, sql } from "kysely";

/**
 * Stores a sign-up's password with its email, because several people can sign up with one address before it is
 * confirmed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_tokens add column password_hash text`.execute(db);
}
