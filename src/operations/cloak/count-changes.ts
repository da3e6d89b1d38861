/** How many changes of domains and routes there were, and how many of them the newest published tables hold. */
import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Counts a change of domains or routes. Call it last: others that change some wait from then on. */
export async function countCloakChange(trx: Transaction<Tables>): Promise<void> {
  await trx
    .updateTable("cloak_changes")
    .set({ changes: sql<number>`changes + 1` })
    .execute();
}

/** All changes there were. */
export async function readCloakChanges(db: Kysely<Tables>): Promise<number> {
  const { changes } = await db.selectFrom("cloak_changes").select("changes").executeTakeFirstOrThrow();
  return changes;
}

/** The changes since the tables were published last. */
export async function readUnpublishedChanges(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom("cloak_changes").select(["changes", "published"]).executeTakeFirstOrThrow();
  return row.changes - row.published;
}

/** Notes that a version is published. An earlier one that was published again holds no change of now. */
export async function notePublishedChanges(db: Kysely<Tables>, version: number): Promise<void> {
  await sql`update cloak_changes set published = greatest(published, (
    select changes from published_versions where version = ${version}))`.execute(db);
}
