import { type Kysely, sql } from "kysely";

/** Who an account is at an OpenID provider, and when the provider last asked a session's owner to sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table account_identities (
    issuer text not null,
    subject text not null,
    account_id uuid not null references accounts on delete cascade,
    created_at timestamptz(3) not null default now(),
    primary key (issuer, subject)
  )`.execute(db);
  await sql`create unique index account_identities_account on account_identities (account_id, issuer)`.execute(db);
  await sql`alter table sessions drop constraint sessions_method_check`.execute(db);
  await sql`alter table sessions add constraint sessions_method_check
    check (method in ('password', 'otp', 'oauth'))`.execute(db);
  await sql`alter table sessions add column proved_at timestamptz(3)`.execute(db);
}
