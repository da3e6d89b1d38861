import { type Kysely, sql } from "kysely";

/** OAuth authorization codes (RFC 6749), which end with their session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table oauth_codes (
    digest text primary key,
    session_id uuid not null references sessions on delete cascade,
    client_id text not null,
    redirect_uri text not null,
    code_challenge text not null,
    resource text not null,
    scopes text[] not null,
    token_expires_at timestamptz(3),
    token_id uuid references api_tokens on delete set null,
    used_at timestamptz(3),
    expires_at timestamptz(3) not null
  )`.execute(db);
  await sql`create index oauth_codes_session on oauth_codes (session_id)`.execute(db);
  await sql`create index oauth_codes_token on oauth_codes (token_id)`.execute(db);
}
