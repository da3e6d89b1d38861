import { type Kysely, sql } from "kysely";

/** The words of sources, by content, the videos that show them, and subtitle files beside watched videos. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table transcripts (
    id uuid primary key default gen_random_uuid(),
    content text not null,
    language text not null default '',
    origin text check (origin in ('file', 'server', 'local')),
    spoken_language text,
    name text not null,
    link text not null,
    duration_seconds double precision not null,
    lines jsonb not null default '[]',
    revision integer not null default 0,
    edited_at timestamptz(3),
    status text not null default 'Queued'
      check (status in ('Queued', 'Processing', 'Completed', 'Failed', 'Cancelled')),
    stage text check (stage in ('Fetching', 'Listening')),
    progress integer not null default 0,
    attempts integer not null default 0,
    request integer not null default 1,
    error_message text,
    waits_for text,
    waiting_since timestamptz(3),
    next_try_at timestamptz(3),
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now(),
    unique (content, language)
  )`.execute(db);
  await sql`create index on transcripts (created_at)`.execute(db);
  await sql`create index transcripts_that_wait on transcripts (waiting_since)
    where waiting_since is not null and status = 'Queued'`.execute(db);
  await sql`create table transcript_uses (
    video_id uuid not null references job_videos (id) on delete cascade,
    clip integer not null,
    transcript_id uuid not null references transcripts (id) on delete cascade,
    request integer not null,
    primary key (video_id, clip)
  )`.execute(db);
  await sql`create index on transcript_uses (transcript_id)`.execute(db);
  await sql`alter table watch_files add column subtitles_link text`.execute(db);
}
