import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import { writeSetting } from "../../settings/write-setting.ts";

/** The number of changes when an earlier version was last published again. */
const AT_ROLLBACK = "cloak_changes_at_rollback";

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

/** Never lowers the number. */
export async function recordPublishedChanges(trx: Transaction<Tables>, changes: number): Promise<void> {
  await trx
    .updateTable("cloak_changes")
    .set({ published: sql<number>`greatest(published, ${changes})` })
    .execute();
}

export async function recordRollback(trx: Transaction<Tables>): Promise<void> {
  await writeSetting(trx, AT_ROLLBACK, String(await readCloakChanges(trx)));
}

export async function isChangedSinceRollback(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", AT_ROLLBACK).executeTakeFirst();
  return Number(row?.value) !== (await readCloakChanges(db));
}
