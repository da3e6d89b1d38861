import { type Kysely, sql } from "kysely";

/** Lets lists of jobs be read in the same time, however many videos and files the jobs have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...counts, ...triggers, ...indexes]) await sql.raw(statement).execute(db);
}

/** As with job_counts, each change adds a row, so videos do not block each other; folding sums them up. */
const counts = [
  `create table video_counts (
    id bigint generated always as identity primary key,
    job_id uuid not null references jobs on delete cascade,
    waiting integer not null,
    failed integer not null
  )`,
  `create index on video_counts (job_id)`,
  `insert into video_counts (job_id, waiting, failed)
    select job_id, count(*) filter (where status = 'Queued'), count(*) filter (where status = 'Failed')
    from job_videos where status in ('Queued', 'Failed') group by job_id`,
  `create function fold_video_counts(wanted uuid) returns void language sql as $$
    with taken as (
      delete from video_counts
      where id in (select id from video_counts where job_id = wanted for update skip locked) returning *
    )
    insert into video_counts (job_id, waiting, failed)
      select job_id, sum(waiting), sum(failed) from taken group by job_id having sum(waiting) <> 0 or sum(failed) <> 0
  $$`,
];

const CHANGES_PER_FOLD = 50;

const COUNTED = {
  insert: { tables: "new table as new_rows", rows: "select job_id, status, 1 as sign from new_rows" },
  update: {
    tables: "old table as old_rows new table as new_rows",
    rows: `select job_id, status, 1 as sign from new_rows union all select job_id, status, -1 from old_rows`,
  },
  delete: { tables: "old table as old_rows", rows: "select job_id, status, -1 as sign from old_rows" },
};

const triggers = [
  ...Object.entries(COUNTED).flatMap(([op, { tables, rows }]) => [
    `create function count_${op}_of_videos() returns trigger language plpgsql as $$
  declare
    added record;
  begin
    for added in
      insert into video_counts (job_id, waiting, failed)
        select job_id, coalesce(sum(sign) filter (where status = 'Queued'), 0),
          coalesce(sum(sign) filter (where status = 'Failed'), 0)
        from (${rows}) changed
        -- A deleted job's videos are deleted after it.
        where status in ('Queued', 'Failed') and exists (select from jobs where jobs.id = changed.job_id)
        group by job_id, status having sum(sign) <> 0
        returning id, job_id
    loop
      if added.id % ${CHANGES_PER_FOLD} = 0 then perform fold_video_counts(added.job_id); end if;
    end loop;
    return null;
  end $$`,
    `create trigger count_${op} after ${op} on job_videos referencing ${tables}
    for each statement execute function count_${op}_of_videos()`,
  ]),
  `create function fold_counts_of_job() returns trigger language plpgsql as $$
  begin
    perform fold_video_counts(new.id);
    return null;
  end $$`,
  `create trigger fold_counts after update of status on jobs for each row
    when (new.status in ('Completed', 'Failed', 'Cancelled')) execute function fold_counts_of_job()`,
];

/** The second column lets PostgreSQL find a completed file by this index even if it expects one at once without. */
const indexes = [
  `drop index job_outputs_completed`,
  `create index job_outputs_completed on job_outputs (job_id, id) where status = 'Completed'`,
];
