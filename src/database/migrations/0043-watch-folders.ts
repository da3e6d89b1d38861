import { type Kysely, sql } from "kysely";

/** At most one version of a file waits, and each version has one row, so it becomes a job once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table watch_folders (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    kind text not null check (kind in ('local', 's3', 'google-drive')),
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
    created_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create unique index watch_folders_name on watch_folders (lower(name))`.execute(db);
  await sql`create index watch_folders_preset on watch_folders (preset_id)`.execute(db);
  await sql`create table watch_files (
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
  )`.execute(db);
  await sql`create unique index watch_files_waiting on watch_files (folder_id, path) where state = 'seen'`.execute(db);
  await sql`create index watch_files_newest on watch_files (folder_id, first_seen_at desc, id)`.execute(db);
  await sql`create index watch_files_job on watch_files (job_id)`.execute(db);
  await sql`create index watch_files_missing on watch_files (missing_since) where missing_since is not null`.execute(
    db,
  );
}
