import { type Kysely, sql } from "kysely";

/** Makes lists of jobs equally fast to read, however many videos and files the jobs have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...counts, ...triggers, ...indexes]) await sql.raw(statement).execute(db);
}

/** As with job_counts, each change adds a row, so videos do not block each other; `fold_video_counts` sums them up. */
const counts = [
  `create table video_counts (
    id bigint generated always as identity primary key,
    job_id uuid not null references jobs on delete cascade,
    waiting integer not null,
    failed integer not null
  )`,
  `create index on video_counts (job_id)`,
  `create function fold_video_counts(wanted uuid) returns void language sql as $$
    with taken as (
      delete from video_counts
      where id in (select id from video_counts where job_id = wanted for update skip locked) returning *
    )
    insert into video_counts (job_id, waiting, failed)
      select job_id, sum(waiting), sum(failed) from taken group by job_id having sum(waiting) <> 0 or sum(failed) <> 0
  $$`,
];

const countRows = (op: string, sign: "" | "-", rows: string) =>
  `create function count_${op}_videos() returns trigger language plpgsql as $$
  begin
    insert into video_counts (job_id, waiting, failed)
      select job_id, ${sign}count(*) filter (where status = 'Queued'), ${sign}count(*) filter (where status = 'Failed')
      from ${rows} where status in ('Queued', 'Failed')
        -- A deleted job's videos are deleted after it.
        and exists (select from jobs where jobs.id = job_id)
      group by job_id;
    return null;
  end $$`;

const triggers = [
  countRows("new", "", "new_rows"),
  `create trigger count_new after insert on job_videos referencing new table as new_rows
    for each statement execute function count_new_videos()`,
  countRows("deleted", "-", "old_rows"),
  `create trigger count_deleted after delete on job_videos referencing old table as old_rows
    for each statement execute function count_deleted_videos()`,
  `create function count_changed_video() returns trigger language plpgsql as $$
  declare
    change_id bigint;
  begin
    insert into video_counts (job_id, waiting, failed) values (new.job_id,
      (new.status = 'Queued')::int - (old.status = 'Queued')::int,
      (new.status = 'Failed')::int - (old.status = 'Failed')::int) returning id into change_id;
    if change_id % 50 = 0 then perform fold_video_counts(new.job_id); end if;
    return null;
  end $$`,
  // Per row, because a row trigger can skip updates of progress, which are the most frequent.
  `create trigger count_change after update of status on job_videos for each row
    when (old.status <> new.status and (old.status in ('Queued', 'Failed') or new.status in ('Queued', 'Failed')))
    execute function count_changed_video()`,
  `create function fold_counts_of_job() returns trigger language plpgsql as $$
  begin
    perform fold_video_counts(new.id);
    return null;
  end $$`,
  `create trigger fold_counts after update of status on jobs for each row
    when (new.status in ('Completed', 'Failed', 'Cancelled')) execute function fold_counts_of_job()`,
  // Last: creating the triggers has locked the table against changes.
  `insert into video_counts (job_id, waiting, failed)
    select job_id, count(*) filter (where status = 'Queued'), count(*) filter (where status = 'Failed')
    from job_videos where status in ('Queued', 'Failed') group by job_id`,
];

/** A job's `has_outputs` reads the first completed file in this order, which always uses the index. */
const indexes = [
  `drop index job_outputs_completed`,
  `create index job_outputs_completed on job_outputs (job_id, id) where status = 'Completed'`,
];
