import { type Kysely, sql } from "kysely";

/**
 * Translations of captions, by a hash of what they depend on. `translation` is null while the attempt with this id makes
 * it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table translations (
    key text primary key,
    language text not null,
    source text not null,
    translation text,
    attempt uuid not null,
    touched_at timestamptz not null default now(),
    used_at timestamptz not null default now()
  )`.execute(db);
  await sql`create index translations_attempt on translations (attempt) where translation is null`.execute(db);
  await sql`create index translations_used_at on translations (used_at)`.execute(db);
}
