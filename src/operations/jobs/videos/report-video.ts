import { type Kysely, type Selectable, sql } from "kysely";
import type { VideoStage } from "#contract/jobs/jobs.ts";
import type { JobsTable, Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { measureSpeed } from "../read/measure-speed.ts";

export type VideoReport = {
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
 * Writes a video's and the job's progress: the share of encoded time over all outputs. One non-blocking statement,
 * because many workers report several times a second: if the job's row is locked, or has just been written by another
 * report, one of the next reports updates it. Commits
 * asynchronously (`synchronous_commit = off`): otherwise all other commits that notify would wait, and progress lost in
 * a power cut is reported again.
 */
export async function reportVideo(context: Pick<Context, "db">, report: VideoReport): Promise<void> {
  const { jobId, videoId, attempt, stage } = report;
  const progress = toPercent(report.share);
  const percents = [...report.outputs.values()].map(toPercent);
  // A video of unknown length weighs as much as the average of the others. The job's progress never moves back after a
  // second attempt or an underestimated video: it pauses until they catch up.
  const reported = await sql<Measured>`
    with video as (
      update job_videos set stage = ${stage}, progress = ${progress}, updated_at = now()
      where id = ${videoId} and attempts = ${attempt} and status = 'Processing'
      returning id, set_config('synchronous_commit', 'off', true)
    ), outputs as (
      update job_outputs set status = 'Processing', progress = told.progress, updated_at = now()
      from unnest(${[...report.outputs.keys()]}::uuid[], ${percents}::float8[]) as told (id, progress)
      where job_outputs.id = told.id and job_outputs.status in ('Queued', 'Processing') and exists (select from video)
    ), job as (
      select id from jobs where id = ${jobId} and status = 'Processing' and exists (select from video)
        and (progress_at is null or progress_at < now() - ${JOB_GAP_MS} * interval '1 millisecond')
      for no key update skip locked
    )
    update jobs set updated_at = greatest(updated_at, now()), progress_at = now(), progress = greatest(progress, (
      select sum(weight * progress) / nullif(sum(weight), 0) from (
        select case id when ${videoId} then ${progress}::float8 else progress end as progress,
          coalesce(duration_seconds, avg(duration_seconds) over (), 1) as weight
        from job_videos where job_id = ${jobId}
      ) videos))
    where id = (select id from job)
    returning add_to_search(id, false), progress, speed, speed_measured_at, speed_measured_progress, now() as now`.execute(
    context.db,
  );
  if (reported.rows[0]) await noteSpeed(context.db, jobId, reported.rows[0]);
}

type Measured = Pick<Selectable<JobsTable>, "progress" | "speed" | "speed_measured_at" | "speed_measured_progress"> & {
  now: string;
};

/** Updates the speed every few seconds, by the first report to get the lock. */
async function noteSpeed(db: Kysely<Tables>, jobId: string, job: Measured): Promise<void> {
  const { speed, speed_measured_at: measuredAt, speed_measured_progress: measuredProgress } = job;
  const before =
    measuredAt === null || measuredProgress === null
      ? null
      : { speed, measuredAtMs: Date.parse(measuredAt), progress: measuredProgress };
  const after = measureSpeed(before, job.progress, Date.parse(job.now));
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
