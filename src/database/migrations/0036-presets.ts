import { type Kysely, sql } from "kysely";

/** Names are unique, ignoring case. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table brand_kits (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    settings jsonb not null,
    version integer not null default 1,
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create table presets (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    settings jsonb not null,
    version integer not null default 1,
    brand_kit_id uuid references brand_kits,
    is_default boolean not null default false,
    updated_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create unique index brand_kits_name on brand_kits (lower(name))`.execute(db);
  await sql`create unique index presets_name on presets (lower(name))`.execute(db);
  await sql`create unique index presets_default on presets (is_default) where is_default`.execute(db);
  await sql`create table preset_versions (
    id uuid primary key default gen_random_uuid(),
    preset_id uuid not null references presets on delete cascade,
    version integer not null,
    settings jsonb not null,
    brand_kit_id uuid references brand_kits on delete set null,
    created_at timestamptz(3) not null default now(),
    unique (preset_id, version)
  )`.execute(db);
}
