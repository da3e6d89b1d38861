import { type Kysely, sql } from "kysely";

/** A guest's comment may name a moment of a sample. Jobs know how long they waited for approvals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table guest_comments
    add column output_id uuid references job_outputs on delete set null,
    add column at_seconds double precision check (at_seconds >= 0)`.execute(db);
  await sql`create index guest_comments_by_output on guest_comments (output_id)`.execute(db);
  await sql`alter table jobs
    add column awaited_seconds double precision not null default 0,
    add column awaiting_since timestamptz(3)`.execute(db);
  await sql`update jobs set awaiting_since = updated_at
    where status = 'Processing' and proof_state = 'waiting'`.execute(db);
}
