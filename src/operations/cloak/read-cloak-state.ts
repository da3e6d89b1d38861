import { sql } from "kysely";
import type { CloakStateResponse, PendingChange, PublishedVersion } from "#contract/cloak/cloak.ts";
import { linesOf, parseRouteLine, type PublishedRoute, writeRouteLines } from "#contract/cloak/published-config.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { Context } from "../context.ts";
import { isChangedSinceRollback, readUnpublishedChanges } from "./publishing/count-changes.ts";
import { selectPublishedRoutes } from "./publishing/select-published-routes.ts";
import { readServedVersion } from "./publishing/settle-versions.ts";
import { compareRoutes } from "./routes/compare-routes.ts";

const MAX_LISTED = 500;
const DAYS_OF_COUNTS = 7;

export async function readCloakState({ db }: Context): Promise<CloakStateResponse> {
  const versions = await readVersions(db);
  const servedVersion = versions.find(({ isCurrent }) => isCurrent)?.version ?? 0;
  const pending = await readPending(db, servedVersion);
  return {
    pendingCount: (await countPending(db, servedVersion)) || pending.length,
    differences: pending.length,
    pending: pending.slice(0, MAX_LISTED),
    isRolledBack: await isRolledBack(db),
    lastPublishedAt: versions[0]?.publishedAt ?? null,
    versions,
    health: await readHealth(db),
    counts: await readCounts(db),
  };
}

async function readVersions(db: Context["db"]): Promise<PublishedVersion[]> {
  const rows = await db
    .selectFrom("published_versions")
    .leftJoin("accounts", "accounts.id", "published_versions.published_by")
    .select(["version", "routes", "published_at", "email"])
    .where("published_at", "is not", null)
    .orderBy("version", "desc")
    .execute();
  const served = (await readServedVersion(db)) ?? rows[0]?.version;
  return rows.map((row) => ({
    version: row.version,
    publishedAt: row.published_at!,
    publishedBy: row.email,
    routes: row.routes,
    isCurrent: row.version === served,
  }));
}

/** Returns false once a domain or route changes: the operator decided only about the changes until then. */
async function isRolledBack(db: Context["db"]): Promise<boolean> {
  const newest = await db
    .selectFrom("published_versions")
    .select("changes")
    .where("published_at", "is not", null)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.changes === null && !(await isChangedSinceRollback(db));
}

/** Compares with the served version, which may not be the last published one. */
async function readPending(db: Context["db"], servedVersion: number): Promise<PendingChange[]> {
  const wanted = await selectPublishedRoutes(db);
  const served = db.selectFrom("published_versions").where("version", "=", servedVersion);
  const digest = (await served.select("digest").executeTakeFirst())?.digest;
  if (digest === sha256Of(writeRouteLines(wanted))) return [];
  return compareRoutes(await readRoutes(db, servedVersion), wanted);
}

/**
 * Counts each change since the last publish of the tables, even if invisible to visitors. If the redirector serves
 * anything else, adds each difference.
 */
async function countPending(db: Context["db"], servedVersion: number): Promise<number> {
  const changes = await readUnpublishedChanges(db);
  const ofTables = await db
    .selectFrom("published_versions")
    .select("version")
    .where("published_at", "is not", null)
    .where("changes", "is not", null)
    .orderBy("version", "desc")
    .executeTakeFirst();
  if (!ofTables || ofTables.version === servedVersion) return changes;
  return changes + compareRoutes(await readRoutes(db, servedVersion), await readRoutes(db, ofTables.version)).length;
}

/** Empty if the version is no longer stored. */
async function readRoutes(db: Context["db"], version: number): Promise<PublishedRoute[]> {
  const published = await db
    .selectFrom("published_versions")
    .select("content")
    .where("version", "=", version)
    .executeTakeFirst();
  return published ? [...linesOf(published.content)].map(parseRouteLine) : [];
}

async function readHealth(db: Context["db"]): Promise<CloakStateResponse["health"]> {
  const rows = await db.selectFrom("route_health").selectAll().execute();
  return rows.map((row) => ({
    routeId: row.route_id,
    state: row.state,
    checkedAt: row.checked_at,
    reason: row.reason,
  }));
}

async function readCounts(db: Context["db"]): Promise<CloakStateResponse["counts"]> {
  return db
    .selectFrom("route_counts")
    .select([
      "route_id as routeId",
      sql<number>`coalesce(sum(redirects) filter (where day = ${today()}::date), 0)::bigint`.as("today"),
      sql<number>`sum(redirects)::bigint`.as("last7Days"),
    ])
    .where("day", ">", sql<string>`${daysAgo(DAYS_OF_COUNTS)}::date`)
    .groupBy("route_id")
    .execute();
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** In UTC, such as 2026-03-01. */
export function today(): string {
  return daysAgo(0);
}

export function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
