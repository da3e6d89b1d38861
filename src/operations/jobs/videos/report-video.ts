import { type Kysely, type Selectable, sql } from "kysely";
import type { VideoStage } from "#contract/jobs/jobs.ts";
import type { JobsTable, Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { measureSpeed } from "../read/read-dashboard.ts";

type VideoReport = {
  jobId: string;
  videoId: string;
  attempt: number;
  stage: VideoStage;
  /** 0-1 over the entire video. */
  share: number;
  /** 0-1 by output id, for outputs in progress. */
  outputs: ReadonlyMap<string, number>;
};

/** Between reports that read all videos of a job; less than between two reports of one video. */
const JOB_GAP_MS = 300;

/**
 * Progress is the share of encoded time over all outputs, and never falls. Never blocks: if the job's row is locked or
 * was just written, a later report updates it. Commits asynchronously (`synchronous_commit = off`): otherwise all other
 * commits that notify would wait.
 */
export async function reportVideo(context: Pick<Context, "db">, report: VideoReport): Promise<void> {
  const { jobId, videoId, attempt, stage } = report;
  const percents = [...report.outputs.values()].map(toPercent);
  const reported = await sql<Measured>`select * from report_video(${videoId}, ${attempt}, ${stage},
    ${toPercent(report.share)}, ${[...report.outputs.keys()]}::uuid[], ${percents}::float8[], ${JOB_GAP_MS})`.execute(
    context.db,
  );
  if (reported.rows[0]) await noteSpeed(context.db, jobId, reported.rows[0]);
}

type Measured = Pick<Selectable<JobsTable>, "progress" | "speed" | "speed_measured_at" | "speed_measured_progress"> & {
  measured_at: string;
};

async function noteSpeed(db: Kysely<Tables>, jobId: string, job: Measured): Promise<void> {
  const { speed, speed_measured_at: measuredAt, speed_measured_progress: measuredProgress } = job;
  const before =
    measuredAt === null || measuredProgress === null
      ? null
      : { speed, measuredAtMs: Date.parse(measuredAt), progress: measuredProgress };
  const after = measureSpeed(before, job.progress, Date.parse(job.measured_at));
  if (after === before) return;
  await db
    .updateTable("jobs")
    .set({
      speed: after.speed,
      speed_measured_at: new Date(after.measuredAtMs).toISOString(),
      speed_measured_progress: after.progress,
    })
    .where("id", "in", (jobs) =>
      jobs
        .selectFrom("jobs as free")
        .select("free.id")
        .where("free.id", "=", jobId)
        .where("free.status", "=", "Processing")
        .where(sql<boolean>`free.speed_measured_at is not distinct from ${measuredAt}::timestamptz`)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute();
}

function toPercent(share: number): number {
  return Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10;
}

/** In milliseconds, at each video's speed since its start. Videos without progress are absent. */
export async function estimateRemaining(
  context: Pick<Context, "db">,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await context.db
    .selectFrom("job_videos")
    .select("id")
    .select(
      sql<number>`extract(epoch from now() - started_at)::float8 * 1000 * (100 - progress) / progress`.as(
        "remainingMs",
      ),
    )
    .where("id", "=", sql<string>`any(${videoIds}::uuid[])`)
    .where("progress", ">", 0)
    .execute();
  return new Map(rows.map(({ id, remainingMs }) => [id, remainingMs]));
}
