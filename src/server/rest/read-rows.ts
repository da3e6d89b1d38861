import { sql } from "kysely";
import type { Context } from "#operations/context.ts";
import type { RestQuery } from "./parse-query.ts";
import type { ReadableTable } from "./readable-tables.ts";
import { RestError } from "./rest-error.ts";

type Row = Record<string, unknown>;

/** The rows a query asks for, as they go over the wire. Throws RestError for a column that rows do not have. */
export async function readRows(
  context: Pick<Context, "db" | "links">,
  table: ReadableTable,
  query: RestQuery,
): Promise<Row[]> {
  let selection = table.select(context.db);
  for (const { column, isNegated, values } of query.filters) {
    // An empty list matches nothing, and SQL has no empty list.
    const isMatch =
      values.length === 0
        ? sql<boolean>`false`
        : sql<boolean>`${sql.ref(`${table.name}.${column}`)} in (${sql.join(values)})`;
    selection = selection.where(isNegated ? sql<boolean>`not (${isMatch})` : isMatch);
  }
  for (const { column, direction } of query.orders) {
    selection = selection.orderBy(sql.ref(`${table.name}.${column}`), direction);
  }
  const rows = await selection
    .orderBy(sql.ref(`${table.name}.id`))
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return rows.map((row) => pick(table.toWire(row, context.links), query.columns, table));
}

function pick(row: Row, columns: string[] | null, table: ReadableTable): Row {
  if (!columns) return row;
  return Object.fromEntries(
    columns.map((column) => {
      if (!(column in row)) throw new RestError(400, "42703", `column ${table.name}.${column} does not exist`);
      return [column, row[column]];
    }),
  );
}
