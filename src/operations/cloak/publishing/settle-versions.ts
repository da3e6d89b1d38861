import { type Kysely, sql, type Transaction } from "kysely";
import type { PublishReceipt } from "#contract/cloak/published-config.ts";
import type { PublishedEventData } from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { writeEvent } from "../../outgoing/write-event.ts";
import { recordPublishedChanges, recordRollback } from "./count-changes.ts";

const VERSIONS_KEPT = 10;

type Served = Pick<PublishReceipt, "version"> & { digest: string | null };

/** Serializes publishes: two that settle at the same time would deadlock. */
export async function lockVersions(trx: Transaction<Tables>): Promise<void> {
  await sql`lock table published_versions in exclusive mode`.execute(trx);
}

export async function settleReported(context: Pick<Context, "db" | "queue">, served: Served): Promise<void> {
  const { db } = context;
  const draft = await db
    .selectFrom("published_versions")
    .select("version")
    .where("version", "=", served.version)
    .where("published_at", "is", null)
    .executeTakeFirst();
  if (!draft) return;
  await db.transaction().execute(async (trx) => {
    await lockVersions(trx);
    await settleVersions(context, trx, served);
  });
}

/**
 * Publishes a draft that is served, writes its event, and deletes earlier drafts and all but 10 published versions.
 * Requires the lock.
 */
export async function settleVersions(
  context: Pick<Context, "queue">,
  db: Transaction<Tables>,
  served: Served,
): Promise<void> {
  const settled = await db
    .updateTable("published_versions")
    .set({ published_at: sql<string>`now()` })
    .where("version", "=", served.version)
    .where("digest", "=", served.digest ?? "")
    .where("published_at", "is", null)
    .returning(["version", "routes", "published_at", "changes"])
    .executeTakeFirst();
  if (!settled) return;
  const { published_at: timestamp, changes, ...data } = settled;
  await writeEvent(context, db, {
    type: "published",
    timestamp: timestamp!,
    data: data satisfies PublishedEventData,
    jobId: null,
  });
  // An earlier version published again includes no current changes.
  if (changes === null) await recordRollback(db);
  else await recordPublishedChanges(db, changes);
  await db
    .deleteFrom("published_versions")
    .where("published_at", "is", null)
    .where("version", "<", served.version)
    .execute();
  await db
    .deleteFrom("published_versions")
    .where("version", "not in", (rows) =>
      rows
        .selectFrom("published_versions as kept")
        .select("kept.version")
        .where("kept.published_at", "is not", null)
        .orderBy("kept.version", "desc")
        .limit(VERSIONS_KEPT),
    )
    .where("published_at", "is not", null)
    .execute();
}

/** Deletes only drafts. */
export async function deleteVersion(db: Kysely<Tables>, version: number): Promise<void> {
  await db.deleteFrom("published_versions").where("version", "=", version).where("published_at", "is", null).execute();
}

// Last reported version; not the last published one if its newest file is damaged.

const NAME = "served_version";

/** Does nothing if another version was recorded after `askedAt`. */
export async function recordServedVersion(db: Kysely<Tables>, version: number, askedAt: string): Promise<void> {
  const value = String(version);
  // An older report that arrives now would be corrected by the next one; a write every ten seconds costs more.
  if ((await readServedVersion(db)) === version) return;
  await db
    .insertInto("settings")
    .values({ name: NAME, value })
    .onConflict((row) =>
      row
        .column("name")
        .doUpdateSet({ value, updated_at: sql<string>`clock_timestamp()` })
        .where("settings.updated_at", "<", askedAt),
    )
    .execute();
}

/** Never lowers the number: concurrent publishes may be recorded out of order. */
export async function recordAcceptedVersion(db: Kysely<Tables>, version: number): Promise<void> {
  const value = String(version);
  await db
    .insertInto("settings")
    .values({ name: NAME, value })
    .onConflict((row) =>
      row
        .column("name")
        .doUpdateSet({ value, updated_at: sql<string>`clock_timestamp()` })
        .where(sql<number>`settings.value::bigint`, "<", version),
    )
    .execute();
}

/** Null before the first report, 0 if nothing is served. */
export async function readServedVersion(db: Kysely<Tables>): Promise<number | null> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row ? Number(row.value) : null;
}

export async function readDatabaseTimestamp(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}
