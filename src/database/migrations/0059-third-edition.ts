import { type Kysely, sql } from "kysely";
import { planOnce, sendIds } from "./0020-concurrent-videos.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...keysOfJobs, ...words, ...deletions, ...progress]) await sql.raw(statement).execute(db);
}

/** A job keeps its key as long as it exists. `answer` is null for jobs, too. */
const keysOfJobs = [
  `alter table idempotent_requests add column job_id uuid references jobs on delete cascade`,
  `create index idempotent_requests_job on idempotent_requests (job_id)`,
  // Unanswered requests cannot end on this version. The job replaces the kept answer of its creation.
  `delete from idempotent_requests
    where answer is null or idempotency_key in (select idempotency_key from job_requests)`,
  `insert into idempotent_requests (account_id, idempotency_key, digest, job_id, created_at)
    select jobs.created_by, request.idempotency_key, request.digest, request.job_id, request.created_at
    from job_requests as request join jobs on jobs.id = request.job_id
    where jobs.created_by is not null`,
  `drop table job_requests`,
];

/** Words of the glossary: files are deleted later, and a host that fails cools down. */
const words = [
  `alter table doomed_files rename to pending_file_deletions`,
  `alter table hosts rename column resting_since to cooling_since`,
  `alter table hosts rename column rests_until to cools_until`,
  `alter table hosts rename column rest_seconds to cooldown_seconds`,
];

const deletions = [`alter table pending_file_deletions add column claimed_until timestamptz(3)`];

/** Rows written shortly before the job's last report may commit after it. */
const OVERLAP = "interval '1 second'";

const changedVideos = `select id, job_id, true as is_progress from job_videos
        where job_id = job and status = 'Processing' and updated_at > since`;

/**
 * Writes a video's progress in one call, and sends at most one notice per job and 300 ms. The progress of videos and
 * files does not fall when a video is tried again.
 */
const reportVideo = `
  create or replace function report_video(
    video uuid, attempt integer, new_stage text, new_progress double precision,
    outputs uuid[], percents double precision[], job_gap_ms integer
  ) returns table (progress double precision, speed double precision, speed_measured_at timestamptz,
    speed_measured_progress double precision, measured_at timestamptz)
  language plpgsql as $$
  #variable_conflict use_column
  declare
    job uuid;
    old_stage text;
    since timestamptz;
  begin
    perform set_config('synchronous_commit', 'off', true);
    select stage into old_stage from job_videos where id = video;
    -- A new stage is sent at once; progress follows with the job's.
    perform set_config('clipmill.quiet', case when old_stage = new_stage then 'on' else 'off' end, true);
    update job_videos set stage = new_stage, progress = greatest(progress, new_progress), updated_at = now()
      where id = video and attempts = attempt and status = 'Processing' returning job_id into job;
    perform set_config('clipmill.quiet', 'on', true);
    update job_outputs set progress = greatest(job_outputs.progress, told.progress), updated_at = now()
      from unnest(outputs, percents) as told (id, progress)
      where job is not null and job_outputs.id = told.id and job_outputs.status = 'Processing';
    perform set_config('clipmill.quiet', 'off', true);
    if job is null then return; end if;
    update job_outputs set status = 'Processing', progress = told.progress, updated_at = now()
      from unnest(outputs, percents) as told (id, progress)
      where job_outputs.id = told.id and job_outputs.status = 'Queued';

    select coalesce(progress_at, now()) - ${OVERLAP} into since from jobs where id = job and status = 'Processing'
      and (progress_at is null or progress_at < now() - job_gap_ms * interval '1 millisecond')
      for no key update skip locked;
    if not found then return; end if;
    -- A video of unknown length weighs as much as the average of the others. The job's progress never moves back after
    -- a second attempt or an underestimated video: it pauses until they catch up.
    update jobs set updated_at = greatest(updated_at, now()), progress_at = now(),
        progress = greatest(jobs.progress, counted.progress),
        current_video = least(total_videos - counted.open + 1, total_videos)
      from (
        select sum(weight * progress) / nullif(sum(weight), 0) as progress, count(*) filter (where is_open) as open from (
          select case when status = 'Failed' then 100 else progress end as progress, coalesce(duration_seconds, avg(duration_seconds) over (), 1) as weight,
            status in ('Queued', 'Processing') as is_open
          from job_videos where job_id = job
        ) videos
      ) counted
    where id = job;
    ${sendIds("job_videos", "UPDATE", changedVideos)}
    ${sendIds(
      "job_outputs",
      "UPDATE",
      `select outputs.id, outputs.job_id, true as is_progress from (${changedVideos}) videos
        join job_outputs as outputs on outputs.video_id = videos.id
        where outputs.status = 'Processing' and outputs.updated_at > since`,
    )}
    perform add_to_search(job, false);
    return query select progress, speed, speed_measured_at, speed_measured_progress, now() from jobs where id = job;
  end $$`;

/** A video of unknown length weighs as much as the average of the others. */
const progressOfJob = `
  create or replace function progress_of_job(wanted uuid) returns double precision language sql stable as $$
    select coalesce(sum(weight * done) / nullif(sum(weight), 0), 0) from (
      select case when status = 'Failed' then 100 else progress end as done,
        coalesce(duration_seconds, avg(duration_seconds) over (), 1) as weight
      from job_videos where job_id = wanted
    ) videos
  $$`;

/** Between measurements, which read all videos of a job. Failed videos count as done. */
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

const progress = [
  progressOfJob,
  reportVideo,
  // Counts after locking the row, so the last of several calls writes the current count. One statement for the client:
  // the row is never locked for a round trip.
  advanceJob,
  // Replacing a function drops its settings.
  ...["report_video", "advance_job"].map(planOnce),
];
