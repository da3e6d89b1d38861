import { type Kysely, sql } from "kysely";
import type { PublishReceipt } from "#contract/cloak/published-config.ts";
import type { Tables } from "#database/tables.ts";
import { recordPublishedChanges } from "./count-changes.ts";

const VERSIONS_KEPT = 10;

/**
 * Marks the served version as published if it is an unconfirmed one of ours, and deletes earlier drafts and all but the
 * last 10 published versions.
 */
export async function settleVersions(
  db: Kysely<Tables>,
  served: Pick<PublishReceipt, "version"> & { digest: string | null },
): Promise<void> {
  const settled = await db
    .updateTable("published_versions")
    .set({ published_at: sql<string>`now()` })
    .where("version", "=", served.version)
    .where("digest", "=", served.digest ?? "")
    .where("published_at", "is", null)
    .executeTakeFirst();
  if (settled.numUpdatedRows === 0n) return;
  await recordPublishedChanges(db, served.version);
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

/** Deletes a refused draft. */
export async function deleteVersion(db: Kysely<Tables>, version: number): Promise<void> {
  await db.deleteFrom("published_versions").where("version", "=", version).where("published_at", "is", null).execute();
}
