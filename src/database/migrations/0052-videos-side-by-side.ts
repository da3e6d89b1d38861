import { type Kysely, sql } from "kysely";

/** Lets a job's videos change concurrently, and sends one notice per statement and job instead of per row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...columns, ...locks, ...search, ...notices]) await sql.raw(statement).execute(db);
}

const columns = [
  // When a report last wrote the job's progress.
  `alter table jobs add column progress_at timestamptz(3)`,
  // A video's outputs and minutes, written before the job's sums are checked, and its last attempt that began to end.
  `alter table job_videos add column planned_outputs integer, add column planned_minutes double precision,
    add column ending_attempt integer`,
  `update job_videos set planned_minutes = cost_minutes,
      planned_outputs = (select count(*) from job_outputs where video_id = job_videos.id)
    where job_id in (select id from jobs where status in ('Queued', 'Processing', 'Cancelling'))`,
];

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
  // Counts after locking the row, so the last of several calls writes the current count. One statement for the client:
  // the row is never locked for a round trip.
  `create function advance_job(wanted uuid) returns void language plpgsql as $$
  begin
    perform set_config('synchronous_commit', 'off', true);
    perform from jobs where id = wanted and status = 'Processing' for no key update;
    if not found then return; end if;
    update jobs set updated_at = greatest(updated_at, now()), current_video = (
      select least(total_videos - count(*) + 1, total_videos) from job_videos
      where job_id = wanted and job_videos.status in ('Queued', 'Processing')
    ) where id = wanted;
  end $$`,
];

/** As in migration 0014. */
const SOURCE_BYTES = 98_304;
const OUTPUT_BYTES = 32_768;
/** Longer texts take too long to extend for each video. */
const SHORT_BYTES = 8_192;

/**
 * Names of new outputs wait in their own table for the lock on the job's search text: they are added immediately while
 * it is short, later with the job's progress and end. Only the end waits for the lock.
 */
const search = [
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

const sendIds = (table: string, op: string, rows: string) => `
    perform pg_notify('clipmill_changes', json_build_object('table', '${table}', 'op', '${op}', 'ids', json_agg(id),
        'job_id', job_id, 'isProgress', is_progress)::text)
      from (select *, (row_number() over (partition by job_id, is_progress) - 1) / ${IDS_PER_NOTICE} as part from (${rows}) changed) parts
      group by job_id, is_progress, part;
    return null;`;

/** Writes of only these columns send no notice. */
const VISIBLE = `where (old_rows.ending_attempt, old_rows.planned_outputs, old_rows.planned_minutes)
        is not distinct from (new_rows.ending_attempt, new_rows.planned_outputs, new_rows.planned_minutes)`;

const TABLES_OF = {
  insert: "new table as new_rows",
  update: "old table as old_rows new table as new_rows",
  delete: "old table as old_rows",
};

function replaceTriggers(table: string): string[] {
  const jobId = table === "jobs" ? "id" : "job_id";
  const rowsOf = {
    insert: `select id, ${jobId} as job_id, false as is_progress from new_rows`,
    update: `select new_rows.id, new_rows.${jobId} as job_id, old_rows.status = new_rows.status as is_progress
      from new_rows join old_rows on old_rows.id = new_rows.id ${table === "job_videos" ? VISIBLE : ""}`,
    delete: `select id, ${jobId} as job_id, false as is_progress from old_rows`,
  };
  const statements = [`drop trigger notify_change on ${table}`];
  for (const op of ["insert", "update", "delete"] as const) {
    statements.push(
      `create function notify_${op}_of_${table}() returns trigger language plpgsql as $$
  begin ${sendIds(table, op.toUpperCase(), rowsOf[op])}
  end $$`,
      `create trigger notify_${op} after ${op} on ${table} referencing ${TABLES_OF[op]}
    for each statement execute function notify_${op}_of_${table}()`,
    );
  }
  return statements;
}

const notices = [
  ...["jobs", "job_videos", "job_outputs", "deliveries"].flatMap(replaceTriggers),
  "drop function notify_change()",
];
