import { type Kysely, sql } from "kysely";

/**
 * Tokens of workers, which reach the queue only through a server. `worker_claims` records which token has claimed a video,
 * so that a revocation can take it back; a row counts only while its task has the same claim. The video may be deleted
 * before its task.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_tokens add column worker_labels text[]`.execute(db);
  await sql`alter table workers add column token_id uuid references api_tokens on delete cascade`.execute(db);
  await sql`create index workers_token on workers (token_id) where token_id is not null`.execute(db);
  await sql`create table worker_claims (
    video_id uuid primary key,
    token_id uuid not null references api_tokens on delete cascade,
    retry_count integer not null
  )`.execute(db);
  await sql`create index worker_claims_token on worker_claims (token_id)`.execute(db);
}
