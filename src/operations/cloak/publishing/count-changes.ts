import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Call it last: other changes wait for the commit. */
export async function countCloakChange(trx: Transaction<Tables>): Promise<void> {
  await trx
    .updateTable("cloak_changes")
    .set({ changes: sql<number>`changes + 1` })
    .execute();
}

/** Read it before the content to publish, so that a concurrent change still counts as unpublished. */
export async function readCloakChanges(db: Kysely<Tables>): Promise<number> {
  const { changes } = await db.selectFrom("cloak_changes").select("changes").executeTakeFirstOrThrow();
  return changes;
}

export async function readUnpublishedChanges(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom("cloak_changes").select(["changes", "published"]).executeTakeFirstOrThrow();
  return row.changes - row.published;
}

/** An earlier version published again includes no current changes. */
export async function recordPublishedChanges(db: Kysely<Tables>, version: number): Promise<void> {
  await sql`update cloak_changes set published = greatest(published, (
    select changes from published_versions where version = ${version}))`.execute(db);
}
