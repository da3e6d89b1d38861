import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...destinations, ...deliveries, ...files]) await sql.raw(statement).execute(db);
}

const destinations = [
  `create table destinations (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    name text not null,
    connection_id uuid references connections on delete set null,
    settings jsonb not null,
    enabled boolean not null default true,
    version integer not null default 1,
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create unique index destinations_name on destinations (lower(name))`,
];

const deliveries = [
  `create table deliveries (
    id uuid primary key default gen_random_uuid(),
    job_id uuid not null references jobs on delete cascade,
    destination_id uuid references destinations on delete set null,
    destination_name text not null,
    kind text not null,
    folder text,
    status text not null default 'Queued',
    stage text,
    attempts integer not null default 0,
    files integer not null default 0,
    delivered integer not null default 0,
    failed integer not null default 0,
    error_message text,
    waits_for text,
    waiting_since timestamptz(3),
    next_try_at timestamptz(3),
    ended_at timestamptz(3),
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create index deliveries_by_job on deliveries (job_id)`,
  // At most one unfinished delivery per job and destination.
  `create unique index deliveries_open on deliveries (job_id, destination_id) where status in ('Queued', 'Processing')`,
  `create index deliveries_waiting on deliveries (waits_for) where waiting_since is not null and status = 'Queued'`,
  `create trigger notify_change after insert or update or delete on deliveries
    for each row execute function notify_change()`,
];

const files = [
  `create table delivery_files (
    id uuid primary key default gen_random_uuid(),
    delivery_id uuid not null references deliveries on delete cascade,
    output_id uuid references job_outputs on delete cascade,
    name text not null,
    target_path text,
    state text not null default 'Waiting',
    attempts integer not null default 0,
    size_bytes bigint,
    sha256 text,
    resume text,
    error_message text,
    updated_at timestamptz(3) not null default now(),
    unique (delivery_id, output_id)
  )`,
  `create unique index delivery_files_manifests on delivery_files (delivery_id, name) where output_id is null`,
  `create index delivery_files_by_output on delivery_files (output_id)`,
];
