import { type Kysely, sql } from "kysely";
import { concurrentVideos } from "./0020-concurrent-videos.ts";

/** Everything between version 1.0.0 and the third edition. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = [...connections, ...presets, ...jobs, ...library, ...guests, ...destinations, ...webhooks];
  for (const statement of [...tables, ...watchFolders, ...routes, ...accounts, ...autoscaling, ...concurrentVideos]) {
    await sql.raw(statement).execute(db);
  }
}

// The secret is sealed; null if it must be entered again.
const connections = [
  `create table connections (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    name text not null,
    settings jsonb not null,
    sealed_secret text,
    version integer not null default 1,
    last_used_at timestamptz,
    updated_at timestamptz not null default now(),
    created_at timestamptz not null default now()
  )`,
];

/** Names are unique, ignoring case. */
const presets = [
  `create table brand_kits (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    settings jsonb not null,
    version integer not null default 1,
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create table presets (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    settings jsonb not null,
    version integer not null default 1,
    brand_kit_id uuid references brand_kits,
    is_default boolean not null default false,
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create unique index brand_kits_name on brand_kits (lower(name))`,
  `create unique index presets_name on presets (lower(name))`,
  `create unique index presets_default on presets (is_default) where is_default`,
  `create table preset_versions (
    id uuid primary key default gen_random_uuid(),
    preset_id uuid not null references presets on delete cascade,
    version integer not null,
    settings jsonb not null,
    brand_kit_id uuid references brand_kits on delete set null,
    created_at timestamptz(3) not null default now(),
    unique (preset_id, version)
  )`,
];

/** Rows of jobs include lists up to this size in JSON. */
const LIGHT_BYTES = 16 * 1024;

/** Measuring in a query would read the lists, far longer than the rest of the row. */
const omittedBytes = (row: string) =>
  `(select bytes from (select ${["input_videos", "custom_captions", "custom_audio_links"]
    .map((list) => `octet_length(array_to_json(${row}.${list})::text)`)
    .join(" + ")} + coalesce(${row}.row_bytes, 0) as bytes) as sizes where bytes > ${LIGHT_BYTES})`;

const jobs = [
  `alter table jobs
    add column settings jsonb not null default '{}',
    add column omitted_bytes integer,
    add column row_bytes integer,
    add column proof_state text check (proof_state in ('making', 'waiting', 'approved', 'stopped')),
    add column links_change bigint,
    -- When a report last wrote the job's progress.
    add column progress_at timestamptz(3)`,
  `update jobs set omitted_bytes = ${omittedBytes("jobs")} where ${omittedBytes("jobs")} is not null`,
  `create function measure_lists() returns trigger language plpgsql as $$
  begin
    new.omitted_bytes := ${omittedBytes("new")};
    return new;
  end $$`,
  `create trigger measure_lists
    before insert or update of input_videos, custom_captions, custom_audio_links, row_bytes on jobs
    for each row execute function measure_lists()`,
  // json keeps the order of the table's columns. Outputs and minutes are written before the job's sums are checked.
  `alter table job_videos
    add column error_code text,
    add column error_step text,
    add column error_tail text,
    add column row_settings jsonb,
    add column row_pass json,
    add column row_name text,
    add column proof_variants integer[],
    add column samples_ended_at timestamptz(3),
    add column earlier_attempts integer not null default 0,
    add column planned_outputs integer,
    add column planned_minutes double precision,
    -- The last attempt that began to end.
    add column ending_attempt integer`,
  `update job_videos set planned_minutes = cost_minutes,
      planned_outputs = (select count(*) from job_outputs where video_id = job_videos.id)
    where job_id in (select id from jobs where status in ('Queued', 'Processing', 'Cancelling'))`,
  `create index job_videos_by_status on job_videos (job_id, status)`,
  // Facts for the manifest, unknown for older outputs. name_key keeps pattern names distinct, ignoring case.
  `alter table job_outputs
    add column error_code text,
    add column error_step text,
    add column error_tail text,
    add column conformance jsonb,
    add column start_seconds double precision,
    add column end_seconds double precision,
    add column track_link text,
    add column sha256 text,
    add column name_key text,
    add column verdict text check (verdict in ('approved', 'rejected')),
    add column reason text,
    add column reviewed_at timestamptz(3)`,
  // A job's has_outputs reads the first completed file in this order, which always uses the index.
  `create index job_outputs_completed on job_outputs (job_id, id) where status = 'Completed'`,
  `create unique index job_outputs_by_name_key on job_outputs (job_id, name_key)`,
  // A file that is made again loses its verdict, whatever the statement, because it leaves the status Completed first.
  `create function drop_verdict() returns trigger language plpgsql as $$
  begin
    new.verdict := null;
    new.reason := null;
    new.reviewed_at := null;
    return new;
  end $$`,
  `create trigger drop_verdict before update on job_outputs for each row
    when (new.reviewed_at is not null and new.status <> 'Completed') execute function drop_verdict()`,
  // Files from before a change of the job, kept until it ends.
  `create table job_kept_files (
    job_id uuid not null references jobs on delete cascade,
    content_key text not null,
    storage_key text not null,
    thumbnail_key text not null,
    duration_seconds double precision not null,
    width integer not null,
    height integer not null,
    size_bytes bigint not null,
    crc32 bigint not null,
    sha256 text,
    conformance jsonb,
    warnings jsonb not null,
    primary key (job_id, content_key)
  )`,
];

const LINKS = `concat_ws(' ', array_to_string(input_videos || custom_audio_links, ' '), settings ->> 'watermark_image')`;

export const library = [
  `alter table library_files
    add column tags text[] not null default '{}',
    drop constraint library_files_kind_check,
    add constraint library_files_kind_check check (kind in ('video', 'audio', 'image'))`,
  `create table library_uses (
    file_id text not null references library_files (id) on delete cascade,
    job_id uuid not null references jobs (id) on delete cascade,
    primary key (file_id, job_id)
  )`,
  `insert into library_uses (file_id, job_id)
    select distinct library_files.id, jobs.id from jobs
    cross join regexp_matches(${LINKS}, 'clipmill\\.local/file/d/([A-Za-z0-9_-]+)', 'gi') as link
    join library_files on library_files.id = link[1]`,
  // for the deletion of jobs
  `create index library_uses_by_job on library_uses (job_id)`,
];

const guests = [
  `create table guest_links (
    id uuid primary key default gen_random_uuid(),
    job_id uuid not null references jobs on delete cascade,
    digest text not null unique,
    can_approve boolean not null,
    expires_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    created_by uuid references accounts on delete set null,
    last_seen_at timestamptz(3),
    created_at timestamptz(3) not null default now()
  )`,
  `create index guest_links_by_job on guest_links (job_id)`,
  `create table guest_comments (
    id uuid primary key default gen_random_uuid(),
    job_id uuid not null references jobs on delete cascade,
    link_id uuid not null references guest_links on delete cascade,
    author text not null,
    message text,
    is_approval boolean not null,
    created_at timestamptz(3) not null default now()
  )`,
  `create index guest_comments_by_job on guest_comments (job_id, created_at)`,
  `create index guest_comments_by_link on guest_comments (link_id)`,
];

const destinations = [
  `create table destinations (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    name text not null,
    connection_id uuid references connections on delete set null,
    settings jsonb not null,
    enabled boolean not null default true,
    version integer not null default 1,
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create unique index destinations_name on destinations (lower(name))`,
  `create table deliveries (
    id uuid primary key default gen_random_uuid(),
    job_id uuid not null references jobs on delete cascade,
    destination_id uuid references destinations on delete set null,
    destination_name text not null,
    kind text not null,
    folder text,
    status text not null default 'Queued',
    stage text,
    attempts integer not null default 0,
    files integer not null default 0,
    delivered integer not null default 0,
    failed integer not null default 0,
    error_message text,
    waits_for text,
    waiting_since timestamptz(3),
    next_try_at timestamptz(3),
    ended_at timestamptz(3),
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now(),
    -- If it has changed since the last attempt, the next one starts over.
    place text
  )`,
  `create index deliveries_by_job on deliveries (job_id)`,
  // At most one unfinished delivery per job and destination.
  `create unique index deliveries_open on deliveries (job_id, destination_id) where status in ('Queued', 'Processing')`,
  `create index deliveries_waiting on deliveries (waits_for) where waiting_since is not null and status = 'Queued'`,
  `create table delivery_files (
    id uuid primary key default gen_random_uuid(),
    delivery_id uuid not null references deliveries on delete cascade,
    output_id uuid references job_outputs on delete cascade,
    name text not null,
    target_path text,
    state text not null default 'Waiting',
    attempts integer not null default 0,
    size_bytes bigint,
    sha256 text,
    resume text,
    error_message text,
    updated_at timestamptz(3) not null default now(),
    unique (delivery_id, output_id)
  )`,
  `create unique index delivery_files_manifests on delivery_files (delivery_id, name) where output_id is null`,
  `create index delivery_files_by_output on delivery_files (output_id)`,
  // Makes checks of watch folders equally fast, however many files Clipmill has delivered.
  `create index delivery_files_by_delivered_name on delivery_files (regexp_replace(target_path, '^.*/', ''))`,
];

/** Only events that a webhook or account wants are stored. */
const webhooks = [
  `create table webhooks (
    id uuid primary key default gen_random_uuid(),
    url text not null,
    events text[] not null,
    enabled boolean not null,
    disabled_reason text check (disabled_reason in ('gone', 'failing')),
    failing_since timestamptz(3),
    sealed_secret text,
    previous_secret_until timestamptz(3),
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create table outgoing_events (
    id uuid primary key default gen_random_uuid(),
    type text not null,
    body text not null,
    job_id uuid,
    created_at timestamptz(3) not null default now()
  )`,
  `create index outgoing_events_age on outgoing_events (created_at)`,
  `create table outgoing_deliveries (
    id uuid primary key default gen_random_uuid(),
    event_id uuid not null references outgoing_events on delete cascade,
    webhook_id uuid references webhooks on delete cascade,
    account_id uuid references accounts on delete cascade,
    is_test boolean not null default false,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    due_at timestamptz(3) not null default now(),
    claimed_until timestamptz(3),
    claims integer not null default 0,
    attempts jsonb not null default '[]',
    created_at timestamptz(3) not null default now(),
    check (num_nonnulls(webhook_id, account_id) = 1)
  )`,
  `create index outgoing_deliveries_due on outgoing_deliveries (webhook_id, due_at) where status = 'pending'`,
  `create index outgoing_deliveries_log on outgoing_deliveries (webhook_id, created_at)`,
  `create index outgoing_deliveries_event on outgoing_deliveries (event_id)`,
  `create index outgoing_deliveries_account on outgoing_deliveries (account_id) where account_id is not null`,
];

/** At most one version of a file waits, and each version has one row, so it becomes a job once. */
const watchFolders = [
  `create table watch_folders (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    kind text not null check (kind in ('local', 's3', 'google-drive', 'drive', 'dropbox', 'sftp')),
    place text not null,
    preset_id uuid references presets on delete set null,
    job_name text not null,
    grouping text not null check (grouping in ('batch', 'file')),
    interval_seconds integer not null,
    settle_seconds integer not null,
    existing text not null check (existing in ('skip', 'take')),
    created_by uuid references accounts on delete set null,
    version integer not null default 1,
    paused_at timestamptz(3),
    pause_reason text,
    first_check_at timestamptz(3),
    last_check_at timestamptz(3),
    last_fault text,
    next_check_at timestamptz(3) not null default now(),
    checked_until timestamptz(3),
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now(),
    connection_id uuid references connections on delete set null
  )`,
  `create unique index watch_folders_name on watch_folders (lower(name))`,
  `create index watch_folders_preset on watch_folders (preset_id)`,
  `create table watch_files (
    id uuid primary key default gen_random_uuid(),
    folder_id uuid not null references watch_folders on delete cascade,
    path text not null,
    revision text not null,
    name text not null,
    size_bytes bigint,
    link text,
    state text not null check (state in ('seen', 'taken', 'skipped', 'failed')),
    reason_code text,
    reason text,
    attempts integer not null default 0,
    job_id uuid references jobs on delete set null,
    same_since timestamptz(3) not null default now(),
    missing_since timestamptz(3),
    taken_at timestamptz(3),
    first_seen_at timestamptz(3) not null default now(),
    unique (folder_id, path, revision)
  )`,
  `create unique index watch_files_waiting on watch_files (folder_id, path) where state = 'seen'`,
  `create index watch_files_newest on watch_files (folder_id, first_seen_at desc, id)`,
  `create index watch_files_job on watch_files (job_id)`,
  `create index watch_files_missing on watch_files (missing_since) where missing_since is not null`,
  // Excludes files that have left their folder, which stay on record for months.
  `create index watch_files_current on watch_files (folder_id) where missing_since is null or state = 'seen'`,
];

/**
 * An output has at most one route, which outlives a deleted job. `links_change` of a job numbers the change to routes
 * that made its last links, to tell when they are published.
 */
const routes = [
  `alter table routes add column output_id uuid references job_outputs on delete set null`,
  `create unique index routes_by_output on routes (output_id)`,
];

/** Only hashes of tokens are stored. Answers are kept for a day; `answer` is null while the request runs. */
const accounts = [
  `create table api_tokens (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null references accounts on delete cascade,
    name text not null,
    scopes text[] not null,
    digest text not null unique,
    last4 text not null,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    created_at timestamptz(3) not null default now()
  )`,
  `create index api_tokens_account on api_tokens (account_id)`,
  `create table idempotent_requests (
    account_id uuid not null references accounts on delete cascade,
    idempotency_key text not null,
    digest text not null,
    attempt uuid not null default gen_random_uuid(),
    answer text,
    touched_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now(),
    primary key (account_id, idempotency_key)
  )`,
  `create index idempotent_requests_age on idempotent_requests (created_at)`,
];

/**
 * queue_load(labels) is the load of the workers with these labels: tasks that run or could start now, without held and
 * postponed ones, and waiting ones while the queue is paused. A pool with labels leaves unlabeled videos to the others;
 * queue_load() is the load of workers without labels. plpgsql reads pg-boss's table only when called; pg-boss creates
 * it after the migrations.
 */
const autoscaling = [
  `alter table workers add column labels text[] not null default '{}'`,
  `create function queue_load(labels text[] default '{}') returns integer language plpgsql stable as $$
  begin
    if to_regclass('pgboss.job') is null then
      return 0;
    end if;
    return (
      select count(*)::integer from pgboss.job
      where name in ('videos', 'captions', 'deliveries', 'lost-videos', 'lost-captions', 'lost-deliveries')
        and state <= 'active'
        and coalesce(data->'labels', '[]') <@ to_jsonb(queue_load.labels)
        and (queue_load.labels = '{}' or data ? 'labels')
        and (state = 'active' or (not blocked and start_after <= now()
          and not exists (select from settings where settings.name = 'queue_paused')))
    );
  end $$`,
];
