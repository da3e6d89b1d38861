import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table accounts
    add column email_confirmed_at timestamptz(3) default now(),
    add column new_email text check (new_email = lower(new_email)),
    add column user_metadata jsonb not null default '{}',
    add column disabled_at timestamptz(3)`,
  `alter table sessions
    add column method text not null default 'password' check (method in ('password', 'otp')),
    add column second_step_at timestamptz(3)`,
  `create table factors (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null references accounts on delete cascade,
    friendly_name text not null,
    sealed_secret text not null,
    verified_at timestamptz(3),
    last_counter bigint not null default 0,
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create index on factors (account_id)`,
  `create table factor_challenges (
    id uuid primary key default gen_random_uuid(),
    factor_id uuid not null references factors on delete cascade,
    expires_at timestamptz(3) not null
  )`,
  `create index on factor_challenges (factor_id)`,
  `create table mail_tokens (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null references accounts on delete cascade,
    purpose text not null check (purpose in ('signup', 'recovery', 'magiclink', 'email_change', 'reauthentication')),
    email text not null,
    token_hash text not null unique,
    code_hash text not null,
    wrong_codes integer not null default 0,
    expires_at timestamptz(3) not null,
    created_at timestamptz(3) not null default now()
  )`,
  `create index on mail_tokens (account_id, purpose)`,
];
