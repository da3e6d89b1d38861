import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table accounts (
    id uuid primary key default gen_random_uuid(),
    email text not null unique check (email = lower(email)),
    password_hash text not null,
    last_sign_in_at timestamptz(3),
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create table sessions (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null references accounts on delete cascade,
    user_agent text,
    refreshed_at timestamptz(3) not null default now(),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null default now()
  )`,
  `create index on sessions (account_id)`,
  `create table refresh_tokens (
    id bigint generated always as identity primary key,
    session_id uuid not null references sessions on delete cascade,
    token_hash text not null unique,
    parent_id bigint,
    used_at timestamptz(3),
    created_at timestamptz(3) not null default now()
  )`,
  `create index on refresh_tokens (session_id)`,
  `create table jobs (
    id uuid primary key default gen_random_uuid(),
    job_name text not null,
    status text not null default 'Queued'
      check (status in ('Queued', 'Processing', 'Cancelling', 'Completed', 'Failed', 'Cancelled')),
    input_videos text[] not null,
    captions_enabled boolean not null,
    caption_set_id uuid,
    custom_captions text[] not null,
    audio_enabled boolean not null,
    audio_set_id uuid,
    custom_audio_links text[] not null,
    audio_mode text not null check (audio_mode in ('replace', 'mix')),
    watermark_enabled boolean not null,
    watermark_text text,
    variants_per_video integer not null check (variants_per_video >= 1),
    video_gain double precision not null check (video_gain between 0 and 1),
    music_gain double precision not null check (music_gain between 0 and 1),
    loop_audio boolean not null,
    segment_duration double precision not null,
    segmentation_type text check (segmentation_type in ('single', 'multiple')),
    download_enabled boolean not null,
    output_folder text,
    error_message text,
    progress double precision not null default 0,
    current_video integer,
    total_videos integer not null,
    retry_count integer not null default 0,
    max_retries integer not null default 3,
    created_by uuid references accounts on delete set null,
    processing_started_at timestamptz(3),
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create index jobs_newest on jobs (created_at desc, id desc)`,
  `create index jobs_by_status on jobs (status, created_at desc, id desc)`,
  `create table job_videos (
    id uuid primary key default gen_random_uuid(),
    job_id uuid not null references jobs on delete cascade,
    position integer not null,
    link text not null,
    name text,
    status text not null default 'Queued' check (status in ('Queued', 'Processing', 'Completed', 'Failed', 'Cancelled')),
    stage text,
    progress double precision not null default 0,
    attempts integer not null default 0,
    error_message text,
    duration_seconds double precision,
    started_at timestamptz(3),
    ended_at timestamptz(3),
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now(),
    unique (job_id, position)
  )`,
  `create table job_outputs (
    id uuid primary key default gen_random_uuid(),
    job_id uuid not null references jobs on delete cascade,
    video_id uuid not null references job_videos on delete cascade,
    variant integer not null,
    segment integer not null,
    name text not null,
    status text not null default 'Queued' check (status in ('Queued', 'Processing', 'Completed', 'Failed', 'Cancelled')),
    progress double precision not null default 0,
    caption text,
    track text,
    duration_seconds double precision,
    width integer,
    height integer,
    size_bytes bigint,
    crc32 bigint,
    storage_key text,
    thumbnail_key text,
    error_message text,
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now(),
    unique (video_id, variant, segment)
  )`,
  `create index on job_outputs (job_id)`,
  `create table caption_sets (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    captions text[] not null,
    created_at timestamptz(3) not null default now()
  )`,
  `create table audio_sets (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    audio_links text[] not null,
    created_at timestamptz(3) not null default now()
  )`,
  `create table library_files (
    id text primary key,
    name text not null,
    kind text not null check (kind in ('video', 'audio')),
    storage_key text not null,
    size_bytes bigint not null,
    duration_seconds double precision not null,
    is_sample boolean not null,
    created_at timestamptz(3) not null default now()
  )`,
  `create table settings (
    name text primary key,
    value text not null,
    updated_at timestamptz(3) not null default now()
  )`,
  `create table queue_clock (id integer primary key check (id = 1), virtual_time integer not null)`,
  `insert into queue_clock values (1, 0)`,
  // A payload over 8,000 bytes fails in the writer's transaction, so notices carry only ids. The trigger reads only ids
  // too: a job's captions may be megabytes, and its progress changes several times a second.
  `create function notify_change() returns trigger language plpgsql as $$
  declare
    touched_id uuid := coalesce(new.id, old.id);
    touched_job uuid := touched_id;
  begin
    if TG_TABLE_NAME <> 'jobs' then
      touched_job := coalesce(new.job_id, old.job_id);
    end if;
    perform pg_notify('clipmill_changes', json_build_object(
      'table', TG_TABLE_NAME, 'op', TG_OP, 'id', touched_id, 'job_id', touched_job)::text);
    return null;
  end $$`,
  ...["jobs", "job_videos", "job_outputs"].map(
    (table) =>
      `create trigger notify_change after insert or update or delete on ${table} for each row execute function notify_change()`,
  ),
];
