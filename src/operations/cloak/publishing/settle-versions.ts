import { type Kysely, sql } from "kysely";
import type { PublishReceipt } from "#contract/cloak/published-config.ts";
import type { Tables } from "#database/tables.ts";
import { notePublishedChanges } from "./count-changes.ts";

const VERSIONS_KEPT = 10;

/**
 * Notes that the redirector serves a version, if it is one of ours whose answer was outstanding, and lets go of
 * what is not needed any more: attempts before it, and all but the last published versions.
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
  await notePublishedChanges(db, served.version);
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

/** Drops an attempt that the redirector has refused. */
export async function forgetVersion(db: Kysely<Tables>, version: number): Promise<void> {
  await db.deleteFrom("published_versions").where("version", "=", version).where("published_at", "is", null).execute();
}
