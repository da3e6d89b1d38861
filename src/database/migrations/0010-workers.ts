import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table workers (
    -- Of the process, made at its start.
    id uuid primary key,
    name text not null,
    version text not null,
    pid integer not null,
    concurrency integer not null,
    wanted_concurrency integer,
    is_paused boolean not null default false,
    is_draining boolean not null default false,
    can_drain boolean not null,
    -- Ids of the videos at work.
    doing uuid[] not null default '{}',
    caption_videos integer not null default 0,
    speed double precision,
    pause_reasons text[] not null default '{}',
    disk text,
    started_at timestamptz(3) not null default now(),
    beat_at timestamptz(3) not null default now()
  )`.execute(db);
}
