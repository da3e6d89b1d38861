import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table audit_entries (
    id bigint generated always as identity primary key,
    account_id uuid references accounts on delete set null,
    -- As it was then: it still says who it was when the account is gone or has another address.
    email text not null,
    action text not null,
    subject text,
    created_at timestamptz(3) not null default now()
  )`,
  `create index on audit_entries (created_at)`,
  `alter table jobs add column files_deleted_at timestamptz(3)`,
];
