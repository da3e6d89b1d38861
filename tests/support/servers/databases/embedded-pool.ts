/**
 * Reuses embedded databases of tests: opening one takes 0.3 s of CPU time and fills the heap; resetting one takes a
 * hundredth of a second.
 */
import type { PGlite } from "@electric-sql/pglite";

type Pooled = { pglite: PGlite; schema: string; bytes: number };

/** Each takes 200 MB of memory. */
const MAX_FREE = 2;
/** Deleted rows keep their space; an instance that grew by more is closed. */
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
    union all select 'database', xmin from pg_database
    union all select 'setting', xmin from pg_db_role_setting
    union all select 'statistic', xmin from pg_statistic where starelid >= 16384
  )
  select string_agg(summary, ',' order by kind) as schema from (
    select kind, kind || ' ' || count(*) || ' ' || max(changed::text::bigint) as summary from definitions group by kind
  ) as kinds`;

const READ_BYTES = `select sum(pg_relation_size(c.oid))::integer as bytes from ${OWN_RELATIONS} and c.relkind in ('r', 'i')`;

const free: Pooled[] = [];
let insertRows: string | null = null;

/** Returns a reset instance, or a new one from `open`. Closing it returns it to the pool. */
export async function openPooled(open: () => Promise<PGlite>): Promise<PGlite> {
  return lend(free.pop() ?? (await describePooled(await open())));
}

async function describePooled(pglite: PGlite): Promise<Pooled> {
  if (insertRows === null) insertRows = await writeInserts(pglite);
  return { pglite, schema: await readValue(pglite, READ_SCHEMA), bytes: await readValue(pglite, READ_BYTES) };
}

async function readValue<Value>(pglite: PGlite, query: string): Promise<Value> {
  const { rows } = await pglite.query<[Value]>(query, [], { rowMode: "array" });
  return rows[0]![0];
}

async function writeInserts(pglite: PGlite): Promise<string> {
  const tables = await pglite.query<{ name: string }>(
    `select c.oid::regclass::text as name from ${OWN_RELATIONS} and c.relkind = 'r'`,
  );
  const inserts: string[] = [];
  for (const { name } of tables.rows) {
    const rows = await readValue<string | null>(pglite, `select json_agg(each)::text from ${name} as each`);
    if (rows === null) continue;
    inserts.push(`insert into ${name} select * from json_populate_recordset(null::${name}, $rows$${rows}$rows$);`);
  }
  return inserts.join("\n");
}

/** Rejects all calls once it is closed, like PGlite itself. */
function lend(pooled: Pooled): PGlite {
  const unlisten: (() => Promise<void>)[] = [];
  let isClosed = false;
  let running = 0;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    // A query in flight would run into the next test.
    if (running > 0) return await pooled.pglite.close();
    await takeBack(pooled, unlisten);
  };
  return new Proxy(pooled.pglite, {
    get(pglite, name) {
      if (name === "close") return close;
      const value: unknown = Reflect.get(pglite, name, pglite);
      if (typeof value !== "function") return value;
      return async (...rest: unknown[]) => {
        if (isClosed) throw new Error("PGlite is closed");
        running += 1;
        try {
          const result: unknown = await value.apply(pglite, rest);
          if (name === "listen") unlisten.push(result as () => Promise<void>);
          return result;
        } finally {
          running -= 1;
        }
      };
    },
    set: (pglite, name, value) => Reflect.set(pglite, name, value, pglite),
  });
}

async function takeBack(pooled: Pooled, unlisten: (() => Promise<void>)[]): Promise<void> {
  const { pglite } = pooled;
  // `stopOnPanic` replaced them for the closed database.
  for (const name of ["execProtocol", "execProtocolStream", "execProtocolRaw"] as const)
    Reflect.deleteProperty(pglite, name);
  for (const stop of unlisten) await stop();
  if (free.length < MAX_FREE && (await reset(pooled))) free.push(pooled);
  else await pglite.close();
}

/** Empties all tables except for the template's rows. Returns false if the instance differs in any other way. */
async function reset({ pglite, schema, bytes }: Pooled): Promise<boolean> {
  await pglite.exec("rollback");
  await pglite.exec("discard all");
  if ((await readValue(pglite, READ_SCHEMA)) !== schema) return false;
  if ((await readValue<number>(pglite, READ_BYTES)) > bytes + MAX_GROWTH_BYTES) return false;
  await pglite.exec(`begin;
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
