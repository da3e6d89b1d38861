import { type Kysely, sql } from "kysely";

/**
 * Writes a video's progress in one call with kept plans, and at most one notice per job and 300 ms: PostgreSQL wakes
 * every listening connection of the database for each commit with a notice, whatever its channel.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [quietUpdates("job_videos"), quietUpdates("job_outputs"), reportVideo]) {
    await sql.raw(statement).execute(db);
  }
}

/** As in migration 0052. */
const IDS_PER_NOTICE = 150;

const sendIds = (table: string, rows: string) => `
    perform pg_notify('clipmill_changes', json_build_object('table', '${table}', 'op', 'UPDATE', 'ids', json_agg(id),
        'job_id', job_id, 'isProgress', is_progress)::text)
      from (select *, (row_number() over (partition by job_id, is_progress) - 1) / ${IDS_PER_NOTICE} as part from (${rows}) changed) parts
      group by job_id, is_progress, part;`;

/** As in migration 0052: writes of only these columns send no notice. */
const VISIBLE = `where (old_rows.ending_attempt, old_rows.planned_outputs, old_rows.planned_minutes)
        is not distinct from (new_rows.ending_attempt, new_rows.planned_outputs, new_rows.planned_minutes)`;

const quietUpdates = (table: "job_videos" | "job_outputs") => `
  create or replace function notify_update_of_${table}() returns trigger language plpgsql as $$
  begin
    if current_setting('clipmill.quiet', true) = 'on' then return null; end if;
    ${sendIds(
      table,
      `select new_rows.id, new_rows.job_id, old_rows.status = new_rows.status as is_progress
      from new_rows join old_rows on old_rows.id = new_rows.id ${table === "job_videos" ? VISIBLE : ""}`,
    )}
    return null;
  end $$`;

/** Rows written shortly before the job's last report may commit after it. */
const OVERLAP = "interval '1 second'";

const changedVideos = `select id, job_id, true as is_progress from job_videos
        where job_id = job and status = 'Processing' and updated_at > since`;

export const reportVideo = `
  create function report_video(
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
    update job_videos set stage = new_stage, progress = new_progress, updated_at = now()
      where id = video and attempts = attempt and status = 'Processing' returning job_id into job;
    perform set_config('clipmill.quiet', 'on', true);
    update job_outputs set progress = told.progress, updated_at = now()
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
          select progress, coalesce(duration_seconds, avg(duration_seconds) over (), 1) as weight,
            status in ('Queued', 'Processing') as is_open
          from job_videos where job_id = job
        ) videos
      ) counted
    where id = job;
    ${sendIds("job_videos", changedVideos)}
    ${sendIds(
      "job_outputs",
      `select outputs.id, outputs.job_id, true as is_progress from (${changedVideos}) videos
        join job_outputs as outputs on outputs.video_id = videos.id
        where outputs.status = 'Processing' and outputs.updated_at > since`,
    )}
    perform add_to_search(job, false);
    return query select progress, speed, speed_measured_at, speed_measured_progress, now() from jobs where id = job;
  end $$`;
