import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const cloak = [
  `create table domains (
    id uuid primary key default gen_random_uuid(),
    name text not null unique check (name = lower(name)),
    notes text,
    status text not null default 'active' check (status in ('active', 'inactive')),
    created_at timestamptz(3) not null default now()
  )`,
  `create table routes (
    id uuid primary key default gen_random_uuid(),
    domain_id uuid not null references domains on delete cascade,
    slug text not null,
    primary_url text not null,
    fallback_url text,
    active boolean not null default true,
    created_at timestamptz(3) not null default now(),
    unique (domain_id, slug)
  )`,
];

const history = [
  `create table job_events (
    id bigint generated always as identity primary key,
    job_id uuid not null references jobs on delete cascade,
    video_id uuid references job_videos on delete cascade,
    status text not null,
    attempt integer,
    message text,
    created_at timestamptz(3) not null default now()
  )`,
  `create index on job_events (job_id, id)`,
  `create index on job_events (video_id)`,
  `create function note_job_event() returns trigger language plpgsql as $$
  begin
    insert into job_events (job_id, status, message) values (new.id, new.status, new.error_message);
    return null;
  end $$`,
  `create trigger note_new after insert on jobs for each row execute function note_job_event()`,
  `create trigger note_status after update of status on jobs for each row
    when (old.status is distinct from new.status) execute function note_job_event()`,
  `create function note_video_event() returns trigger language plpgsql as $$
  begin
    insert into job_events (job_id, video_id, status, attempt, message)
    values (new.job_id, new.id, new.status, new.attempts, new.error_message);
    return null;
  end $$`,
  `create trigger note_status after update of status on job_videos for each row
    when (old.status is distinct from new.status) execute function note_video_event()`,
];

const requests = [
  `create table job_requests (
    idempotency_key text primary key,
    digest text not null,
    job_id uuid not null references jobs on delete cascade,
    created_at timestamptz(3) not null default now()
  )`,
  `create index on job_requests (job_id)`,
  // Files of deleted jobs, until storage has removed them.
  `create table doomed_files (prefix text primary key, created_at timestamptz(3) not null default now())`,
];

/**
 * Counting a million rows is slow. Each change adds a row, so transactions do not block each other; about every 500th
 * sums up the rows it sees.
 */
const counts = [
  `create table job_counts (
    id bigint generated always as identity primary key,
    status text not null,
    captions_enabled boolean not null,
    audio_enabled boolean not null,
    jobs integer not null
  )`,
  `create function fold_job_counts() returns void language sql as $$
    with taken as (
      delete from job_counts where id in (select id from job_counts for update skip locked) returning *
    )
    insert into job_counts (status, captions_enabled, audio_enabled, jobs)
    select status, captions_enabled, audio_enabled, sum(jobs) from taken
    group by status, captions_enabled, audio_enabled having sum(jobs) <> 0
  $$`,
  `create function count_job() returns trigger language plpgsql as $$
  declare
    change_id bigint;
  begin
    if TG_OP <> 'INSERT' then
      insert into job_counts (status, captions_enabled, audio_enabled, jobs)
      values (old.status, old.captions_enabled, old.audio_enabled, -1) returning id into change_id;
    end if;
    if TG_OP <> 'DELETE' then
      insert into job_counts (status, captions_enabled, audio_enabled, jobs)
      values (new.status, new.captions_enabled, new.audio_enabled, 1) returning id into change_id;
    end if;
    if change_id % 500 < 2 then perform fold_job_counts(); end if;
    return null;
  end $$`,
  `create trigger count_row after insert or delete on jobs for each row execute function count_job()`,
  `create trigger count_change after update of status, captions_enabled, audio_enabled on jobs for each row
    when ((old.status, old.captions_enabled, old.audio_enabled)
      is distinct from (new.status, new.captions_enabled, new.audio_enabled)) execute function count_job()`,
  `insert into job_counts (status, captions_enabled, audio_enabled, jobs)
    select status, captions_enabled, audio_enabled, count(*) from jobs group by 1, 2, 3`,
];

const indexes = [
  `create index jobs_with_captions on jobs (created_at desc, id desc) where captions_enabled`,
  `create index jobs_with_audio on jobs (created_at desc, id desc) where audio_enabled`,
  // The server may lack the extension or the privilege to create it; searches then read all names.
  `do $$ begin
    create extension if not exists pg_trgm;
    create index jobs_by_name on jobs using gin (job_name gin_trgm_ops);
  exception when others then
    raise notice 'Clipmill searches without an index: %', sqlerrm;
  end $$`,
];

/** Notices mark progress, which listeners may delay. */
const notices = [
  `create or replace function notify_change() returns trigger language plpgsql as $$
  declare
    touched jsonb := to_jsonb(case when TG_OP = 'DELETE' then old else new end);
  begin
    perform pg_notify('clipmill_changes', json_build_object(
      'table', TG_TABLE_NAME, 'op', TG_OP, 'id', touched->>'id',
      'job_id', coalesce(touched->>'job_id', touched->>'id'),
      'isProgress', TG_OP = 'UPDATE' and old.status = new.status)::text);
    return null;
  end $$`,
];

const statements = [...cloak, ...history, ...requests, ...counts, ...indexes, ...notices];
