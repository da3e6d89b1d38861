import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/** After a restore: sessions, emailed links and new addresses that were ended since the backup must not return. */
export async function signOutEveryone(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: sql<string>`now()` })
    .where("revoked_at", "is", null)
    .execute();
  await db.deleteFrom("mail_tokens").execute();
  await db.updateTable("accounts").set({ new_email: null }).where("new_email", "is not", null).execute();
}
