/** Reuses databases of tests: creating one takes ten times as long as resetting one. */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { type Database, openDatabase } from "#database/open-database.ts";
import { runOn, TEMPLATE, urlOf } from "../shared-servers.ts";

/** `client` resets it. */
type Pooled = { serverUrl: string; name: string; client: Client; schema: string; bytes: number };

const MAX_FREE = 4;
/** Deleted rows keep their space; a database that grew by more is dropped. */
const MAX_GROWTH_BYTES = 4 * 1024 ** 2;

/** pg-boss creates and drops its partitions of statistics every day. */
const OWN_RELATIONS = `pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'pgboss') and c.relname !~ '^queue_stats_'`;

/** Counts definitions and planner statistics by kind, with the last transaction that changed one. */
const READ_SCHEMA = `
  with relations as (select c.oid, c.xmin as changed from ${OWN_RELATIONS}),
  definitions(kind, changed) as (
    select 'relation', changed from relations
    union all select 'column', xmin from pg_attribute where attrelid in (select oid from relations)
    union all select 'default', xmin from pg_attrdef
    union all select 'index', xmin from pg_index where indrelid in (select oid from relations)
    union all select 'constraint', xmin from pg_constraint where conrelid in (select oid from relations)
    union all select 'trigger', xmin from pg_trigger where tgrelid in (select oid from relations)
    union all select 'function', xmin from pg_proc where oid >= 16384
    union all select 'enum', xmin from pg_enum
    union all select 'schema', xmin from pg_namespace
    union all select 'extension', xmin from pg_extension
    union all select 'setting', xmin from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
    union all select 'statistic', xmin from pg_statistic where starelid >= 16384
  )
  select string_agg(summary, ',' order by kind) as schema from (
    select kind, kind || ' ' || count(*) || ' ' || max(changed::text::bigint) as summary from definitions group by kind
  ) as kinds`;

const READ_BYTES = `select sum(pg_relation_size(c.oid))::integer as bytes from ${OWN_RELATIONS} and c.relkind in ('r', 'i')`;

const free: Pooled[] = [];
let insertRows: string | null = null;

/** Returns a reset database, or a new one. Closing it returns it to the pool. */
export async function openPooled(serverUrl: string): Promise<Database> {
  const at = free.findIndex((one) => one.serverUrl === serverUrl);
  const pooled = at === -1 ? await createPooled(serverUrl) : free.splice(at, 1)[0]!;
  const database = await openDatabase({ databaseUrl: urlOf(serverUrl, pooled.name), dataDir: null });
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= database.close().then(() => takeBack(pooled)));
  return { ...database, close };
}

async function createPooled(serverUrl: string): Promise<Pooled> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runOn(serverUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const client = new Client({ connectionString: urlOf(serverUrl, name) });
  // The test's server may be stopped first.
  client.on("error", () => {});
  await client.connect();
  // Otherwise the connection keeps the process alive.
  (client as unknown as { connection: { stream: { unref(): void } } }).connection.stream.unref();
  if (insertRows === null) {
    const written = await writeInserts(client);
    insertRows = written;
  }
  const [schema, bytes] = [await readValue<string>(client, READ_SCHEMA), await readValue<number>(client, READ_BYTES)];
  return { serverUrl, name, client, schema, bytes };
}

async function readValue<Value>(client: Client, query: string): Promise<Value> {
  const { rows } = await client.query<[Value]>({ text: query, rowMode: "array" });
  return rows[0]![0];
}

async function writeInserts(client: Client): Promise<string> {
  const tables = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from ${OWN_RELATIONS} and c.relkind = 'r'`,
  );
  const inserts: string[] = [];
  for (const { name } of tables.rows) {
    const rows = await readValue<string | null>(client, `select json_agg(each)::text from ${name} as each`);
    if (rows === null) continue;
    inserts.push(`insert into ${name} select * from json_populate_recordset(null::${name}, $rows$${rows}$rows$);`);
  }
  return inserts.join("\n");
}

async function takeBack(pooled: Pooled): Promise<void> {
  if (free.length < MAX_FREE && (await reset(pooled))) return void free.push(pooled);
  await pooled.client.end();
  await runOn(pooled.serverUrl, `drop database ${pooled.name} with (force)`);
}

/** Empties all tables except for the template's rows. Returns false if the database differs in any other way. */
async function reset({ client, schema, bytes }: Pooled): Promise<boolean> {
  if ((await readValue(client, READ_SCHEMA)) !== schema) return false;
  if ((await readValue<number>(client, READ_BYTES)) > bytes + MAX_GROWTH_BYTES) return false;
  await client.query(`begin;
    set local session_replication_role = replica;
    do $$ declare
      each record;
    begin
      for each in
        select c.oid::regclass as name, c.relkind from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'S')
      loop
        if each.relkind = 'r' then execute 'delete from ' || each.name;
        else perform setval(each.name, 1, false);
        end if;
      end loop;
    end $$;
    ${insertRows}
    commit`);
  return true;
}
