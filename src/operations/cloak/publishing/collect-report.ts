import { type Kysely, sql } from "kysely";
import type { RedirectorReport } from "#contract/cloak/published-config.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { type PublishTarget, requestReport, sendDocument } from "#integrations/redirector.ts";
import type { Context } from "../../context.ts";
import { writeSetting } from "../../settings/write-setting.ts";
import { daysAgo } from "../read-cloak-state.ts";
import { type RedirectorSettings, requireTarget, writeDocument } from "./publish-config.ts";
import {
  readDatabaseTimestamp,
  recordAcceptedVersion,
  recordServedVersion,
  settleReported,
} from "./settle-versions.ts";

/** As many as the redirector keeps. */
const DAYS_REPORTED = 35;
/** More than a year, to compare with the previous one. */
const DAYS_KEPT = 400;
const HEALTH_MARK = "redirector_health_mark";
const SOURCE = "redirector_source";

/**
 * Idempotent, because counts are daily totals. A redirector that serves nothing gets the newest published version
 * again. Throws ClipmillError if the redirector cannot be reached or the signal aborts.
 */
export async function collectReport(
  context: Pick<Context, "db" | "queue">,
  settings: RedirectorSettings,
  signal?: AbortSignal,
): Promise<void> {
  const { db } = context;
  const target = requireTarget(settings);
  const askedAt = await readDatabaseTimestamp(db);
  const report = await requestReport(target, await firstMissingDay(db), {
    signal,
    healthMark: await readSetting(db, HEALTH_MARK),
  });
  await settleReported(context, report);
  await recordServedVersion(db, report.version, askedAt);
  if (report.version === 0) await resendNewest(db, target);
  await storeCounts(db, report);
  await collectEarlier(db, target, report, signal);
  if (report.isHealthKnown) return;
  await storeHealth(db, report);
  if (report.healthMark) await writeSetting(db, HEALTH_MARK, report.healthMark);
}

async function readSetting(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}

async function firstMissingDay(db: Kysely<Tables>): Promise<string> {
  const { day } = await db
    .selectFrom("route_counts")
    .select(sql<string | null>`max(day)::text`.as("day"))
    .executeTakeFirstOrThrow();
  return day ?? daysAgo(DAYS_REPORTED);
}

/**
 * If another redirector reported last, the stored days may be that one's. The source is written last, so that a crash
 * repeats this.
 */
async function collectEarlier(
  db: Kysely<Tables>,
  target: PublishTarget,
  { source }: RedirectorReport,
  signal: AbortSignal | undefined,
): Promise<void> {
  if ((await readSetting(db, SOURCE)) === source) return;
  const whole = await requestReport(target, daysAgo(DAYS_REPORTED), { signal });
  await storeCounts(db, whole);
  await writeSetting(db, SOURCE, whole.source);
}

async function storeCounts(db: Kysely<Tables>, { counts, source }: RedirectorReport): Promise<void> {
  const rows = Object.entries(counts).flatMap(([day, byRoute]) =>
    Object.entries(byRoute).map(([id, redirects]) => ({ id, day, redirects })),
  );
  if (rows.length > 0) {
    await sql`
      insert into route_counts (route_id, day, source, redirects)
      select routes.id, counted.day, ${source}, counted.redirects
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as counted (id uuid, day date, redirects bigint)
      join routes on routes.id = counted.id
      on conflict (route_id, day, source)
      do update set redirects = excluded.redirects where route_counts.redirects < excluded.redirects`.execute(db);
  }
  await db
    .deleteFrom("route_counts")
    .where("day", "<", sql<string>`${daysAgo(DAYS_KEPT)}::date`)
    .execute();
}

/** Deletes the health of routes no longer checked. */
async function storeHealth(db: Kysely<Tables>, { health }: RedirectorReport): Promise<void> {
  const rows = JSON.stringify(
    health.map(({ routeId: id, state, checkedAt: checked_at, reason }) => ({ id, state, checked_at, reason })),
  );
  await sql`
    with told as (
      select routes.id, told.state, told.checked_at, told.reason
      from jsonb_to_recordset(${rows}::jsonb) as told (id uuid, state text, checked_at timestamptz, reason text)
      join routes on routes.id = told.id
    ), gone as (
      delete from route_health where route_id not in (select id from told)
    )
    insert into route_health (route_id, state, checked_at, reason) select * from told
    on conflict (route_id) do update
    set state = excluded.state, checked_at = excluded.checked_at, reason = excluded.reason
    where (route_health.state, route_health.checked_at, route_health.reason)
      is distinct from (excluded.state, excluded.checked_at, excluded.reason)`.execute(db);
}

/** For a redirector that serves nothing, because its disk was replaced or it has none. Throws like sendDocument. */
async function resendNewest(db: Kysely<Tables>, target: PublishTarget): Promise<void> {
  const newest = await db
    .selectFrom("published_versions")
    .select(["version", "digest", "routes", "content", "created_at as createdAt"])
    .where("published_at", "is not", null)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!newest) return;
  try {
    const { version } = await sendDocument(target, writeDocument(newest));
    await recordAcceptedVersion(db, version);
  } catch (error) {
    // Another server, or a publish, was first.
    if (!(error instanceof ClipmillError && error.code === "conflict")) throw error;
  }
}
