import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table published_versions (
    version bigint primary key,
    digest text not null,
    routes integer not null,
    content text not null,
    -- Null while it is not known that the redirector took it.
    published_at timestamptz(3),
    published_by uuid references accounts on delete set null,
    created_at timestamptz(3) not null default now()
  )`,
  `create table route_counts (
    route_id uuid not null references routes on delete cascade,
    day date not null,
    -- A redirector that lost its counts begins again under another name.
    source text not null,
    redirects bigint not null,
    primary key (route_id, day, source)
  )`,
  `create index on route_counts (day)`,
  // Slugs that differ only in trailing slashes are equal.
  `create index on routes (domain_id, rtrim(slug, '/'))`,
  `create table route_health (
    route_id uuid primary key references routes on delete cascade,
    state text not null check (state in ('up', 'down', 'unknown')),
    checked_at timestamptz(3),
    reason text
  )`,
];
