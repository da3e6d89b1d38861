import { type Kysely, sql } from "kysely";

/** A sign-up's password stays with its email: several people can sign up with one address before it is confirmed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_tokens add column password_hash text`.execute(db);
}
