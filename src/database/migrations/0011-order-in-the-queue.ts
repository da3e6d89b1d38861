import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table jobs add column held_at timestamptz(3)`,
  // The lowest start tag of the job's tasks, and when it was queued, which orders jobs with equal tags.
  `alter table jobs add column start_tag integer not null default 0`,
  `alter table jobs add column queued_at timestamptz(3) not null default now()`,
  `update jobs set queued_at = created_at where status = 'Queued'`,
  `create index jobs_in_queue on jobs (start_tag, queued_at, id) where status = 'Queued' and held_at is null`,
  `alter table queue_clock add column front_tag integer not null default 0`,
];
