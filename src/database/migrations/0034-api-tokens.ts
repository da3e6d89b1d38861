import { type Kysely, sql } from "kysely";

/** Only hashes of tokens are stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table api_tokens (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null references accounts on delete cascade,
    name text not null,
    scopes text[] not null,
    digest text not null unique,
    last4 text not null,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    created_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create index api_tokens_account on api_tokens (account_id)`.execute(db);
}
