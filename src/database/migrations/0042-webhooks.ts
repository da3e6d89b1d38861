import { type Kysely, sql } from "kysely";

/**
 * Stores only events that a webhook or account wants. Deliveries go to a webhook or, by mail, to an account; their
 * attempts are the log.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table webhooks (
    id uuid primary key default gen_random_uuid(),
    url text not null,
    events text[] not null,
    enabled boolean not null,
    disabled_reason text check (disabled_reason in ('gone', 'failing')),
    failing_since timestamptz(3),
    sealed_secret text,
    previous_secret_until timestamptz(3),
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create table outgoing_events (
    id uuid primary key default gen_random_uuid(),
    type text not null,
    body text not null,
    job_id uuid,
    created_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create index outgoing_events_age on outgoing_events (created_at)`.execute(db);
  await sql`create table outgoing_deliveries (
    id uuid primary key default gen_random_uuid(),
    event_id uuid not null references outgoing_events on delete cascade,
    webhook_id uuid references webhooks on delete cascade,
    account_id uuid references accounts on delete cascade,
    is_test boolean not null default false,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    due_at timestamptz(3) not null default now(),
    claimed_until timestamptz(3),
    claims integer not null default 0,
    attempts jsonb not null default '[]',
    created_at timestamptz(3) not null default now(),
    check (num_nonnulls(webhook_id, account_id) = 1)
  )`.execute(db);
  await sql`create index outgoing_deliveries_due on outgoing_deliveries (webhook_id, due_at) where status = 'pending'`.execute(
    db,
  );
  await sql`create index outgoing_deliveries_log on outgoing_deliveries (webhook_id, created_at)`.execute(db);
  await sql`create index outgoing_deliveries_event on outgoing_deliveries (event_id)`.execute(db);
  await sql`create index outgoing_deliveries_account on outgoing_deliveries (account_id) where account_id is not null`.execute(
    db,
  );
}
