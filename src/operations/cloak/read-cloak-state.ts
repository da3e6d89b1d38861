import { sql } from "kysely";
import type { CloakStateResponse, PendingChange, PublishedVersion } from "#contract/cloak-calls.ts";
import { linesOf, parseRouteLine, writeRouteLines } from "#contract/published-config.ts";
import { digestOf } from "#contract/publish-signature.ts";
import type { Context } from "../context.ts";
import { compareRoutes } from "./compare-routes.ts";
import { readServedVersion } from "./served-version.ts";
import { selectPublishedRoutes } from "./select-published-routes.ts";
import { daysAgo, today } from "./utc-days.ts";

const MOST_LISTED = 500;
const DAYS_OF_COUNTS = 7;

/** What is pending, what was published, and what the redirector reported last. */
export async function readCloakState({ db }: Context): Promise<CloakStateResponse> {
  const versions = await readVersions(db);
  const pending = await readPending(db, versions.find(({ isCurrent }) => isCurrent)?.version ?? 0);
  return {
    pendingCount: pending.length,
    pending: pending.slice(0, MOST_LISTED),
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

/**
 * Held against what the redirector serves, which may be less than was published last. Equal digests settle it; only else
 * that version is read and compared.
 */
async function readPending(db: Context["db"], servedVersion: number): Promise<PendingChange[]> {
  const wanted = await selectPublishedRoutes(db);
  const served = db.selectFrom("published_versions").where("version", "=", servedVersion);
  const digest = (await served.select("digest").executeTakeFirst())?.digest;
  if (digest === digestOf(writeRouteLines(wanted))) return [];
  const published = await served.select("content").executeTakeFirst();
  return compareRoutes(published ? [...linesOf(published.content)].map(parseRouteLine) : [], wanted);
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

/** Redirects of today and of the last seven days, today among them. */
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
