import { type Kysely, sql } from "kysely";

/** Answers are kept for a day; `answer` is null while the request runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table idempotent_requests (
    account_id uuid not null references accounts on delete cascade,
    idempotency_key text not null,
    digest text not null,
    attempt uuid not null default gen_random_uuid(),
    answer text,
    touched_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now(),
    primary key (account_id, idempotency_key)
  )`.execute(db);
  await sql`create index idempotent_requests_age on idempotent_requests (created_at)`.execute(db);
}
