import { type Kysely, sql } from "kysely";

/** The secret is sealed; null if it must be entered again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table connections (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    name text not null,
    settings jsonb not null,
    sealed_secret text,
    version integer not null default 1,
    last_used_at timestamptz,
    updated_at timestamptz not null default now(),
    created_at timestamptz not null default now()
  )`.execute(db);
}
