import { type Kysely, sql } from "kysely";

/** Jobs that are on hold, and where a job waits: places in the queue can be changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table jobs add column held_at timestamptz(3)`,
  // The lowest start tag of its tasks, and when it was queued: jobs with one tag are begun in that order.
  `alter table jobs add column start_tag integer not null default 0`,
  `alter table jobs add column queued_at timestamptz(3) not null default now()`,
  `update jobs set queued_at = created_at where status = 'Queued'`,
  `create index jobs_in_queue on jobs (start_tag, queued_at, id) where status = 'Queued' and held_at is null`,
  `alter table queue_clock add column front_tag integer not null default 0`,
];
