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
