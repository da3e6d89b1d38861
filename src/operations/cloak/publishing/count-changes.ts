/** Counts changes to domains and routes, and how many of them are published. */
import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Counts a change to domains or routes. Call it last: other changes wait from then on. */
export async function countCloakChange(trx: Transaction<Tables>): Promise<void> {
  await trx
    .updateTable("cloak_changes")
    .set({ changes: sql<number>`changes + 1` })
    .execute();
}

/** Returns the total number of changes. */
export async function readCloakChanges(db: Kysely<Tables>): Promise<number> {
  const { changes } = await db.selectFrom("cloak_changes").select("changes").executeTakeFirstOrThrow();
  return changes;
}

/** Returns the number of changes since the tables were last published. */
export async function readUnpublishedChanges(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom("cloak_changes").select(["changes", "published"]).executeTakeFirstOrThrow();
  return row.changes - row.published;
}

/** Records that a version is published. Publishing an earlier version again includes no current changes. */
export async function notePublishedChanges(db: Kysely<Tables>, version: number): Promise<void> {
  await sql`update cloak_changes set published = greatest(published, (
    select changes from published_versions where version = ${version}))`.execute(db);
}
