import { type Kysely, sql } from "kysely";
import { reportVideo } from "./0053-progress-of-videos.ts";

/**
 * Keeps the progress of videos and files from falling when a video is tried again. Failed videos count as done, so a job
 * whose videos fail before they report also makes progress.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [progressOfJob, monotonicReport(), advanceJob]) await sql.raw(statement).execute(db);
  for (const name of ["report_video", "advance_job"]) {
    // As in migration 0054: replacing a function drops its settings.
    await sql.raw(`alter function ${name} set plan_cache_mode = force_generic_plan`).execute(db);
  }
}

/** A video of unknown length weighs as much as the average of the others. */
const progressOfJob = `
  create function progress_of_job(wanted uuid) returns double precision language sql stable as $$
    select coalesce(sum(weight * done) / nullif(sum(weight), 0), 0) from (
      select case when status = 'Failed' then 100 else progress end as done,
        coalesce(duration_seconds, avg(duration_seconds) over (), 1) as weight
      from job_videos where job_id = wanted
    ) videos
  $$`;

function monotonicReport(): string {
  const changes: [before: string, after: string][] = [
    ["create function", "create or replace function"],
    ["stage = new_stage, progress = new_progress", "stage = new_stage, progress = greatest(progress, new_progress)"],
    [
      "update job_outputs set progress = told.progress",
      "update job_outputs set progress = greatest(job_outputs.progress, told.progress)",
    ],
    [
      "select progress, coalesce(",
      "select case when status = 'Failed' then 100 else progress end as progress, coalesce(",
    ],
  ];
  return changes.reduce((statement, [before, after]) => {
    if (!statement.includes(before)) throw new Error(`Migration 0053 does not contain "${before}".`);
    return statement.replace(before, after);
  }, reportVideo);
}

/** Between measurements, which read all videos of a job. */
const GAP = "interval '300 milliseconds'";

const advanceJob = `
  create or replace function advance_job(wanted uuid) returns void language plpgsql as $$
  declare
    is_due boolean;
  begin
    perform set_config('synchronous_commit', 'off', true);
    select progress_at is null or progress_at < now() - ${GAP} into is_due
      from jobs where id = wanted and status = 'Processing' for no key update;
    if not found then return; end if;
    update jobs set updated_at = greatest(updated_at, now()), current_video = (
        select least(total_videos - count(*) + 1, total_videos) from job_videos
        where job_id = wanted and job_videos.status in ('Queued', 'Processing')
      ),
      progress = case when is_due then greatest(progress, progress_of_job(wanted)) else progress end,
      progress_at = case when is_due then now() else progress_at end
    where id = wanted;
  end $$`;
