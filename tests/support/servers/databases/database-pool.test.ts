import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { openQueue } from "#queue/open-queue.ts";
import { openTestDatabase } from "./database.ts";

async function contentOf({ db }: Database): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'pgboss') and c.relkind = 'r' and c.relname not like 'queue_stats_%'`.execute(db);
  const content: Record<string, unknown> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql`select t::text from ${sql.raw(name)} as t order by 1`.execute(db);
    content[name] = rows;
  }
  content["sequences"] = (await sql`select sequencename, last_value from pg_sequences order by 1`.execute(db)).rows;
  content["session"] = (
    await sql`select name, setting from pg_settings where name in ('TimeZone', 'search_path') order by 1`.execute(db)
  ).rows;
  content["listening"] = (await sql`select pg_listening_channels()`.execute(db)).rows;
  return content;
}

async function change(database: Database): Promise<void> {
  const { db } = database;
  await (await openQueue(database, () => {})).stop();
  await database.listen("a_channel", () => {});
  await sql`insert into caption_sets (name, captions) values ('A set', '{one}')`.execute(db);
  await sql`insert into audit_entries (email, action, subject) values ('a@b.c', 'an act', 'a subject')`.execute(db);
  await sql`update cloak_changes set changes = 7`.execute(db);
  await sql`delete from pgboss.queue`.execute(db);
  await sql`set timezone = 'Asia/Tokyo'`.execute(db);
}

async function readDefinitions({ db }: Database): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*) from pg_attribute where attrelid >= 16384 and attname = 'later') as columns,
      (select count(*) from pg_proc where proname = 'later') as functions,
      (select count(*) from pg_statistic where starelid >= 16384) as statistics`.execute(db);
  return rows;
}

it("reopens a database without any trace of its earlier test", async () => {
  const first = await openTestDatabase();
  const before = await contentOf(first);
  await change(first);
  expect(await contentOf(first)).not.toEqual(before);
  await first.close();

  const second = await openTestDatabase();
  expect(await contentOf(second)).toEqual(before);
  await expect(sql`select 1`.execute(first.db)).rejects.toThrow("isn't responding");
  await second.close();
});

it.each([
  ["tables", "alter table jobs add column later integer"],
  ["functions", "create function later() returns integer language sql return 1"],
  ["planner statistics", "insert into caption_sets (name, captions) values ('A set', '{one}'); analyze caption_sets"],
])("does not reuse a database with changed %s", async (_, statements) => {
  const first = await openTestDatabase();
  const before = await readDefinitions(first);
  for (const statement of statements.split(";")) await sql.raw(statement).execute(first.db);
  expect(await readDefinitions(first)).not.toEqual(before);
  await first.close();
  const second = await openTestDatabase();
  expect(await readDefinitions(second)).toEqual(before);
  await second.close();
});
