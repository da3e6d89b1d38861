/** All tables of the schema, including later migrations', and the queue's open tasks. */
import { type Kysely, sql } from "kysely";
import { OPEN_TASKS, TASK_TABLE } from "#queue/task-table.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";

export type BackupColumn = { name: string; type: string };

export type BackupTable = {
  schema: string | null;
  name: string;
  columns: BackupColumn[];
  /** Gives rows the same order on every machine. */
  order: BackupColumn[];
};

export type KeptSequence = { name: string; lastValue: string; isCalled: boolean };

export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  hosts: "it records which outside services are down now; videos that wait for them are retried",
  kysely_migration: "the migrations run again at a restore, up to the one that the manifest names",
  kysely_migration_lock: "it belongs to the migrations",
  worker_claims: "it names the videos that workers encode now, which start again after a restore",
  workers: "it lists the running workers; each worker registers itself when it starts",
};

export function conditionOf(table: Pick<BackupTable, "schema">) {
  return table.schema === TASK_TABLE.schema ? OPEN_TASKS : sql`true`;
}

export async function listBackupTables(db: Kysely<Tables>): Promise<BackupTable[]> {
  const { rows } = await sql<Omit<BackupTable, "order"> & { order: BackupColumn[] | null }>`
    select nullif(space.nspname, current_schema()) as schema, class.relname as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by place)
        from pg_index, unnest(indkey::int2[]) with ordinality as part (number, place), pg_attribute
        where indrelid = class.oid and indisprimary and attrelid = class.oid and attnum = number) as "order"
    from pg_class as class join pg_namespace as space on space.oid = class.relnamespace
    where class.relkind in ('r', 'p') and not class.relispartition
      and (space.nspname = current_schema() or (space.nspname = ${TASK_TABLE.schema} and class.relname = ${TASK_TABLE.name}))
    order by space.nspname <> current_schema(), class.relname`.execute(db);
  return rows
    .filter((table) => table.schema !== null || !(table.name in EXCLUDED_TABLES))
    .map(({ schema, name, columns, order }) => ({
      schema,
      name,
      columns,
      order: order ?? (schema === null ? columns : TASK_ORDER),
    }));
}

/** The partitioned table's key exists only in its partitions. */
const TASK_ORDER: BackupColumn[] = [
  { name: "name", type: "text" },
  { name: "id", type: "uuid" },
];

/** Call it after reading the rows: sequences are not part of the snapshot, and must not be behind. */
export async function listSequences(db: Kysely<Tables>): Promise<KeptSequence[]> {
  const { rows } = await sql<{ name: string }>`
    select class.relname as name from pg_class as class join pg_namespace as space on space.oid = class.relnamespace
    where class.relkind = 'S' and space.nspname = current_schema() order by class.relname`.execute(db);
  const sequences: KeptSequence[] = [];
  for (const { name } of rows) {
    const { rows: states } = await sql<KeptSequence>`
      select ${name}::text as name, last_value::text as "lastValue", is_called as "isCalled"
      from ${sql.table(name)}`.execute(db);
    sequences.push(...states);
  }
  return sequences;
}

/** Ignores other schemas, such as the queue's. */
export async function hasNoTables(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    select from pg_class as class join pg_namespace as space on space.oid = class.relnamespace
    where class.relkind in ('r', 'p') and space.nspname = current_schema() limit 1`.execute(db);
  return rows.length === 0;
}

export async function requireEmpty(db: Kysely<Tables>): Promise<void> {
  if (await hasNoTables(db)) return;
  throw new ClipmillError(
    "conflict",
    "The database is not empty. A backup can be restored, or an installation moved, only into an empty one. Nothing was changed.",
  );
}
