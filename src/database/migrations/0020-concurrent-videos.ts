/** Lets a job's videos change concurrently, and sends one notice per statement and job instead of per row. */

const LOCKED = `returns table (id uuid, status text, total_videos integer, held_at timestamptz, proof_state text)
  language plpgsql`;
const locked = (lock: string, suffix = "") => `begin
    perform ${lock}(hashtextextended('job ' || wanted, 0));
    -- A statement of its own, because it must see what was committed while waiting for the lock.
    return query select jobs.id, jobs.status, jobs.total_videos, jobs.held_at, jobs.proof_state
      from jobs where jobs.id = wanted ${suffix};
  end`;

const locks = [
  `create function lock_job(wanted uuid) ${LOCKED} as $$ ${locked("pg_advisory_xact_lock", "for no key update")} $$`,
  `create function share_job(wanted uuid) ${LOCKED} as $$ ${locked("pg_advisory_xact_lock_shared")} $$`,
];

/** As in migration 0014. */
const SOURCE_BYTES = 98_304;
const OUTPUT_BYTES = 32_768;
/** The size of captions in a text. Longer texts take too long to extend for each video. */
const SHORT_BYTES = 8_192;

/**
 * Names of new outputs wait in their own table for the lock on the job's search text: they are added immediately while
 * it is short, later with the job's progress and end. Only the end waits for the lock.
 */
const search = [
  `create function renew_search_text() returns trigger language plpgsql as $$
  begin
    update job_search set search_text = lower(new.job_name || E'\\n') ||
      cut_to_bytes(lower(array_to_string(new.custom_captions[1:${SHORT_BYTES}], E'\\n')), ${SHORT_BYTES})
    where job_id = new.id;
    return null;
  end $$`,
  `create trigger renew_search_text after update of job_name, custom_captions on jobs
    for each row execute function renew_search_text()`,
  `create table job_search_additions (
    id bigint generated always as identity primary key,
    job_id uuid not null references jobs on delete cascade,
    sources text not null,
    outputs text not null
  )`,
  `create index on job_search_additions (job_id)`,
  `create function add_to_search(wanted uuid, waits boolean) returns void language plpgsql as $$
  begin
    if not exists (select from job_search_additions where job_id = wanted) then return; end if;
    if waits then
      perform from job_search where job_id = wanted for no key update;
    else
      perform from job_search where job_id = wanted for no key update skip locked;
    end if;
    if not found then return; end if;
    with taken as (
      delete from job_search_additions where job_id = wanted returning id, sources, outputs
    ), names as (
      select string_agg(sources, '' order by id) as sources, string_agg(outputs, '' order by id) as outputs from taken
    )
    update job_search set search_text = search_text
        || cut_to_bytes(coalesce(names.sources, ''), ${SOURCE_BYTES} - octet_length(search_text))
        || cut_to_bytes(names.outputs, ${OUTPUT_BYTES} - octet_length(search_text))
      from names where job_id = wanted and octet_length(search_text) < ${SOURCE_BYTES} and names.outputs is not null;
  end $$`,
  `create or replace function note_file_names() returns trigger language plpgsql as $$
  begin
    insert into job_search_additions (job_id, sources, outputs)
      select added.job_id, coalesce(lower(string_agg(distinct E'\n' || videos.name, '')), ''),
        lower(string_agg(E'\n' || added.name, '' order by added.name))
      from added join job_videos as videos on videos.id = added.video_id
        join job_search on job_search.job_id = added.job_id and octet_length(search_text) < ${SOURCE_BYTES}
      group by added.job_id;
    perform add_to_search(job_id, false) from job_search
      where job_id in (select added.job_id from added) and octet_length(search_text) < ${SHORT_BYTES};
    return null;
  end $$`,
];

/** A notice has at most 8,000 bytes. */
const IDS_PER_NOTICE = 150;

/** `rows` has the columns id, job_id and is_progress. */
export const sendIds = (table: string, op: string, rows: string) => `
    perform pg_notify('clipmill_changes', json_build_object('table', '${table}', 'op', '${op}', 'ids', json_agg(id),
        'job_id', job_id, 'isProgress', is_progress)::text)
      from (select *, (row_number() over (partition by job_id, is_progress) - 1) / ${IDS_PER_NOTICE} as part from (${rows}) changed) parts
      group by job_id, is_progress, part;`;

/** Writes of only these columns send no notice. */
const VISIBLE = `where (old_rows.ending_attempt, old_rows.planned_outputs, old_rows.planned_minutes)
        is not distinct from (new_rows.ending_attempt, new_rows.planned_outputs, new_rows.planned_minutes)`;

/** PostgreSQL wakes every listening connection for each commit with a notice: progress is sent once per job. */
const UNLESS_QUIET = "if current_setting('clipmill.quiet', true) = 'on' then return null; end if;";

const ROWS_OF = {
  insert: "new table as new_rows",
  update: "old table as old_rows new table as new_rows",
  delete: "old table as old_rows",
};

function sendChanges(table: "jobs" | "job_videos" | "job_outputs" | "deliveries"): string[] {
  const jobId = table === "jobs" ? "id" : "job_id";
  const changed = {
    insert: `select id, ${jobId} as job_id, false as is_progress from new_rows`,
    update: `select new_rows.id, new_rows.${jobId} as job_id, old_rows.status = new_rows.status as is_progress
      from new_rows join old_rows on old_rows.id = new_rows.id ${table === "job_videos" ? VISIBLE : ""}`,
    delete: `select id, ${jobId} as job_id, false as is_progress from old_rows`,
  };
  const isQuiet = table === "job_videos" || table === "job_outputs";
  const triggers = (["insert", "update", "delete"] as const).flatMap((op) => [
    `create function notify_${op}_of_${table}() returns trigger language plpgsql as $$
  begin
    ${op === "update" && isQuiet ? UNLESS_QUIET : ""}
    ${sendIds(table, op.toUpperCase(), changed[op])}
    return null;
  end $$`,
    `create trigger notify_${op} after ${op} on ${table} referencing ${ROWS_OF[op]}
    for each statement execute function notify_${op}_of_${table}()`,
  ]);
  // PostgreSQL keeps the plan of the first call, usually of one row: a nested loop, which compares every row with every
  // other. Canceling a job of 10,000 videos took 19 s instead of 1 s.
  const plan = `alter function notify_update_of_${table}() set enable_nestloop = off`;
  return [`drop trigger if exists notify_change on ${table}`, ...triggers, plan];
}

const notices = [
  ...(["jobs", "job_videos", "job_outputs", "deliveries"] as const).flatMap(sendChanges),
  "drop function notify_change()",
];

/**
 * Plans statements of frequent functions once per connection. By default, PostgreSQL plans each five times, then
 * whenever a custom plan may be cheaper; these find rows by id, so one plan fits all values.
 */
export const planOnce = (name: string) => `alter function ${name} set plan_cache_mode = force_generic_plan`;

const plans = ["share_job", "lock_job", "notify_update_of_job_videos", "notify_update_of_job_outputs"].map(planOnce);

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

const countTriggers = [
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

export const concurrentVideos = [...locks, ...search, ...notices, ...plans, ...counts, ...countTriggers];
