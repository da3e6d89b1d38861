import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/** `computed` columns can be selected, but not filtered or ordered by. */
export type ColumnType = "uuid" | "text" | "integer" | "number" | "boolean" | "time" | "list" | "computed";

/** For wire columns that are not stored under their own name. */
export type ColumnSources = {
  /** Computed in SQL. */
  expressions: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Computed from other columns, after the row is read. */
  parts: Readonly<Record<string, readonly string[]>>;
};

/** Omits other columns, which may take megabytes. */
export function selectColumns<Row>(
  db: Kysely<Tables>,
  table: keyof Tables,
  columns: readonly string[],
  { expressions, parts }: ColumnSources,
): SelectQueryBuilder<Tables, keyof Tables, Row> {
  const names = new Set(columns.flatMap((column) => parts[column] ?? [column]));
  return db
    .selectFrom(table)
    .select([...names].map((name) => (expressions[name] ?? sql.ref(`${table}.${name}`)).as(name)))
    .$castTo<Row>();
}
