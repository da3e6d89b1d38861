/** Rows are JSON arrays of PostgreSQL's own texts, so that no value changes. */
import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import { conditionOf, type BackupColumn, type BackupTable } from "./kept-tables.ts";

const BATCH_BYTES = 4 * 2 ** 20;
const FIRST_ROWS = 50;
const MAX_ROWS = 5_000;

/** Overrides the server's, database's and role's settings for this transaction. */
export async function pinTextFormats(trx: Transaction<Tables>): Promise<void> {
  const forms = {
    timezone: "UTC",
    datestyle: "ISO, YMD",
    intervalstyle: "postgres",
    bytea_output: "hex",
    // Shortest digits that parse to the same number.
    extra_float_digits: "1",
  };
  for (const [name, value] of Object.entries(forms)) await sql`select set_config(${name}, ${value}, true)`.execute(trx);
}

/** Yields batches of lines. */
export async function* readLines(trx: Transaction<Tables>, table: BackupTable): AsyncGenerator<string[]> {
  const texts = table.columns.map(({ name }) => sql`${sql.ref(name)}::text`);
  await sql`declare kept_rows no scroll cursor for
    select array_to_json(array[${sql.join(texts)}]::text[])::text as line from ${tableOf(table)}
    where ${conditionOf(table)} order by ${sql.join(table.order.map(orderBy))}`.execute(trx);
  let rowsPerFetch = FIRST_ROWS;
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(rowsPerFetch)} from kept_rows`.execute(trx);
    if (rows.length === 0) break;
    const lines = rows.map((row) => row.line);
    yield lines;
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    rowsPerFetch = Math.min(Math.max(Math.round((lines.length * BATCH_BYTES) / bytes), 1), MAX_ROWS, rowsPerFetch * 4);
  }
  await sql`close kept_rows`.execute(trx);
}

/** Other columns get defaults. */
export async function writeLines(
  trx: Transaction<Tables>,
  table: BackupTable,
  columns: BackupColumn[],
  lines: string[],
): Promise<void> {
  const values = columns.map(({ name, type }) => {
    const place = table.columns.findIndex((column) => column.name === name);
    return sql`(line ->> ${sql.lit(place)}::int)::${sql.raw(type)}`;
  });
  await sql`insert into ${tableOf(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
    overriding system value
    select ${sql.join(values)} from jsonb_array_elements(${`[${lines.join(",")}]`}::jsonb) as line`.execute(trx);
}

export function createLineDigest(): { add(lines: string[]): void; end(): { rows: number; sha256: string } } {
  const hash = createHash("sha256");
  let rows = 0;
  return {
    add(lines) {
      rows += lines.length;
      if (lines.length > 0) hash.update(`${lines.join("\n")}\n`);
    },
    end: () => ({ rows, sha256: hash.digest("hex") }),
  };
}

export function tableOf({ schema, name }: Pick<BackupTable, "schema" | "name">) {
  return schema === null ? sql.table(name) : sql.id(schema, name);
}

/** Sorts texts by bytes: servers' locales differ. */
function orderBy({ name, type }: BackupColumn) {
  return /^(text|character|varchar)/.test(type) ? sql`${sql.ref(name)} collate "C"` : sql.ref(name);
}
