import { type Kysely, sql } from "kysely";

/** Keeps the plan of the statement that workers send most: planning it takes longer than executing it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(reportVideo).execute(db);
}

const reportVideo = `create function report_video(
    video uuid, attempt integer, new_stage text, new_progress double precision,
    outputs uuid[], percents double precision[], job_gap_ms integer
  ) returns table (progress double precision, speed double precision, speed_measured_at timestamptz,
    speed_measured_progress double precision, measured_at timestamptz)
  language plpgsql as $$
  #variable_conflict use_column
  declare
    job uuid;
  begin
    perform set_config('synchronous_commit', 'off', true);
    update job_videos set stage = new_stage, progress = new_progress, updated_at = now()
      where id = video and attempts = attempt and status = 'Processing' returning job_id into job;
    if job is null then return; end if;
    update job_outputs set status = 'Processing', progress = told.progress, updated_at = now()
      from unnest(outputs, percents) as told (id, progress)
      where job_outputs.id = told.id and job_outputs.status in ('Queued', 'Processing');
    perform from jobs where id = job and status = 'Processing'
      and (progress_at is null or progress_at < now() - job_gap_ms * interval '1 millisecond')
      for no key update skip locked;
    if not found then return; end if;
    -- A video of unknown length weighs as much as the average of the others. The job's progress never moves back after
    -- a second attempt or an underestimated video: it pauses until they catch up.
    update jobs set updated_at = greatest(updated_at, now()), progress_at = now(), progress = greatest(progress, (
      select sum(weight * progress) / nullif(sum(weight), 0) from (
        select progress, coalesce(duration_seconds, avg(duration_seconds) over (), 1) as weight
        from job_videos where job_id = job
      ) videos))
    where id = job;
    perform add_to_search(job, false);
    return query select progress, speed, speed_measured_at, speed_measured_progress, now() from jobs where id = job;
  end $$`;
