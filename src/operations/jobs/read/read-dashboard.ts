import { sql } from "kysely";
import type { DashboardResponse, DashboardStats } from "#contract/calls.ts";
import type { Context } from "../../context.ts";
import { selectLightJobs, toJob } from "./select-jobs.ts";

const RECENT_JOBS = 5;

/** "Today" starts at `since`, the browser's local midnight. */
export async function readDashboard(context: Pick<Context, "db" | "links">, since: Date): Promise<DashboardResponse> {
  const rows = await selectLightJobs(context.db)
    .orderBy("jobs.created_at", "desc")
    .orderBy("jobs.id", "desc")
    .limit(RECENT_JOBS)
    .execute();
  const stats = await sql<DashboardStats>`select
    (select coalesce(sum(total_videos), 0)::int from jobs where created_at >= ${since.toISOString()}) as "videosToday",
    (select count(*) from jobs where created_at >= ${since.toISOString()}) as "jobsToday",
    (select count(*) from jobs where status = 'Processing') as processing,
    (select count(*) from jobs where status = 'Processing' and proof_state = 'waiting') as "awaitingApproval",
    (select count(*) from jobs where status = 'Queued') as queued,
    (select count(*) from jobs where status = 'Cancelling') as cancelling,
    (select count(*) from caption_sets) as "captionSets",
    (select coalesce(sum(cardinality(captions)), 0)::int from caption_sets) as captions,
    (select count(*) from audio_sets) as "audioSets",
    (select coalesce(sum(cardinality(audio_links)), 0)::int from audio_sets) as tracks`.execute(context.db);
  return { jobs: rows.map((row) => toJob(row, context.links)), stats: stats.rows[0]! };
}

/** `speed` is in percent of progress per second; null until there are two measurements. */
export type Speed = { speed: number | null; measuredAtMs: number; progress: number };

/** Shorter intervals are too inaccurate. */
const MIN_SECONDS = 2;
/** Nothing ran in a longer gap, so it does not count. */
const MAX_SECONDS = 60;
/** Time constant: a change of load shows within half a minute. */
const AVERAGED_SECONDS = 20;

/** `progress` is 0 to 100. Returns `before` if too little time has passed. */
export function measureSpeed(before: Speed | null, progress: number, nowMs: number): Speed {
  if (!before) return { speed: null, measuredAtMs: nowMs, progress };
  const seconds = (nowMs - before.measuredAtMs) / 1000;
  if (seconds < MIN_SECONDS) return before;
  if (seconds > MAX_SECONDS) return { speed: before.speed, measuredAtMs: nowMs, progress };
  const current = (progress - before.progress) / seconds;
  const weight = before.speed === null ? 1 : 1 - Math.exp(-seconds / AVERAGED_SECONDS);
  const speed = (before.speed ?? 0) + weight * (current - (before.speed ?? 0));
  return { speed, measuredAtMs: nowMs, progress };
}
