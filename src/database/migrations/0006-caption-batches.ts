import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table caption_batches (
    id uuid primary key default gen_random_uuid(),
    account_id uuid references accounts on delete set null,
    links_digest text not null,
    created_at timestamptz(3) not null default now()
  )`,
  `create index on caption_batches (links_digest)`,
  `create index on caption_batches (created_at)`,
  `create table caption_tasks (
    id uuid primary key default gen_random_uuid(),
    batch_id uuid not null references caption_batches on delete cascade,
    position integer not null,
    link text not null,
    name text,
    status text not null default 'Queued'
      check (status in ('Queued', 'Processing', 'Completed', 'Failed', 'Cancelled')),
    stage text check (stage in ('Fetching', 'Watching', 'Listening', 'Writing')),
    attempts integer not null default 0,
    caption text,
    error_message text,
    updated_at timestamptz(3) not null default now(),
    unique (batch_id, position)
  )`,
];
