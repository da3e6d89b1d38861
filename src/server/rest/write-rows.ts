import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import { type Changing, writeAudit } from "#operations/audit/write-audit.ts";
import type { RestFilter } from "./parse-filter.ts";
import { RestError } from "./rest-error.ts";
import type { RestTable, Row } from "./rest-tables.ts";
import { findIds } from "./select-rows.ts";

const MOST_ROWS = 1_000;

/** Returns the ids in the body's order. */
export async function insertRows(
  changing: Changing,
  table: RestTable,
  body: unknown,
  options: { columns: string[] | null; fillsDefaults: boolean },
): Promise<string[]> {
  const write = requireWritable(table);
  const rows = Array.isArray(body) ? body : [body];
  if (!rows.every(isRow)) throw new RestError(400, "PGRST102", "All object keys must match", null);
  if (rows.length > MOST_ROWS)
    throw new RestError(400, "54000", `At most ${MOST_ROWS} rows can be inserted per request`);
  if (options.columns) requireColumns(table, options.columns);
  const ids: string[] = [];
  for (const row of rows) {
    const given = options.columns ? takeColumns(row, options.columns, options.fillsDefaults) : row;
    requireColumns(table, Object.keys(given));
    ids.push((await write.insert(changing, given)).id);
  }
  if (ids.length > 0) await write.onWritten?.(changing.trx);
  return ids;
}

export async function updateRows(
  changing: Changing,
  table: RestTable,
  filters: RestFilter[],
  body: unknown,
): Promise<string[]> {
  const write = requireWritable(table);
  if (!isRow(body)) throw new RestError(400, "PGRST102", "Empty or invalid json");
  requireColumns(table, Object.keys(body));
  requireFilter(filters, "UPDATE");
  const ids = await findIds(changing.trx, table, filters);
  if (ids.length === 0 || Object.keys(body).length === 0) return ids;
  await write.update(changing, ids, body);
  await write.onWritten?.(changing.trx);
  return ids;
}

/** For `deleteRows`, in a fixed order. Throws RestError for a read-only table or without a filter. */
export function findDeletable(trx: Transaction<Tables>, table: RestTable, filters: RestFilter[]): Promise<string[]> {
  requireWritable(table);
  requireFilter(filters, "DELETE");
  return findIds(trx, table, filters);
}

/** Includes dependent rows. Throws ClipmillError "conflict" for rows that others need. */
export async function deleteRows({ trx, actor }: Changing, table: RestTable, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await table.write?.requireDeletable?.(trx, ids);
  await writeAudit(trx, actor, { action: `${table.name}.delete`, subjects: ids });
  await sql`delete from ${sql.table(table.name)} where id = any(${ids}::uuid[])`.execute(trx);
  await table.write?.onWritten?.(trx);
}

function requireWritable(table: RestTable) {
  if (!table.write) throw new RestError(403, "42501", `permission denied for table ${table.name}`);
  return table.write;
}

function requireColumns(table: RestTable, columns: string[]): void {
  for (const column of columns) {
    if (!Object.hasOwn(table.columns, column)) {
      const message = `Could not find the '${column}' column of '${table.name}' in the schema cache`;
      throw new RestError(400, "PGRST204", message);
    }
    if (!table.write?.columns.includes(column)) {
      throw new RestError(403, "42501", `permission denied for column ${column} of table ${table.name}`);
    }
  }
}

/** A forgotten filter would change every row. */
function requireFilter(filters: RestFilter[], verb: string): void {
  if (filters.length === 0) throw new RestError(400, "21000", `${verb} requires a WHERE clause`);
}

function takeColumns(row: Row, columns: string[], fillsDefaults: boolean): Row {
  const taken = columns.filter((column) => !fillsDefaults || Object.hasOwn(row, column));
  return Object.fromEntries(taken.map((column) => [column, row[column] ?? null]));
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
