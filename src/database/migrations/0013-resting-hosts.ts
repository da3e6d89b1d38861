import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const WAITING_TABLES = ["job_videos", "caption_tasks"];

const statements = [
  `create table hosts (
    host text primary key,
    failures integer not null,
    failed_at timestamptz(3) not null,
    reason text not null,
    -- Null while too few requests have failed.
    resting_since timestamptz(3),
    rests_until timestamptz(3),
    rest_seconds double precision not null,
    -- The one task that may try the host while it rests.
    probe_task uuid
  )`,
  ...WAITING_TABLES.flatMap((table) => [
    `alter table ${table} add column waits_for text`,
    `alter table ${table} add column waiting_since timestamptz(3)`,
    `alter table ${table} add column next_try_at timestamptz(3)`,
    `create index ${table}_that_wait on ${table} (waiting_since) where waiting_since is not null and status = 'Queued'`,
  ]),
];
