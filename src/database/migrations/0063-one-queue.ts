import { type Kysely, sql } from "kysely";

/** Events and checks of watch folders are claimed in the queue now, not in their own rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outgoing_deliveries drop column claimed_until, drop column claims`.execute(db);
  await sql`alter table watch_folders drop column checked_until`.execute(db);
}
