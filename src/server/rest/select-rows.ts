import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Context } from "#operations/context.ts";
import type { RestFilter } from "./parse-filter.ts";
import type { RestQuery } from "./parse-query.ts";
import type { RestTable, Row } from "./rest-tables.ts";

const OPERATORS = {
  eq: sql`=`,
  neq: sql`<>`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  like: sql`like`,
  ilike: sql`ilike`,
};
const IS = { null: sql`null`, true: sql`true`, false: sql`false`, unknown: sql`unknown` };
const DIRECTIONS = { asc: sql`asc`, desc: sql`desc` };
const NULLS = { first: sql`nulls first`, last: sql`nulls last` };

/** The rows a query asks for, whole, as they go over the wire. */
export async function selectRows(
  context: Pick<Context, "db" | "links">,
  table: RestTable,
  query: RestQuery,
): Promise<Row[]> {
  let selection = table.select(context.db).where(toCondition(table, query.filters));
  for (const embed of query.embeds) selection = selection.select(table.embeds[embed]!.as(keyOf(embed)));
  for (const { column, direction, nulls } of query.orders) {
    const place = nulls ? NULLS[nulls] : sql``;
    selection = selection.orderBy(sql`${columnOf(table, column)} ${DIRECTIONS[direction]} ${place}`);
  }
  const rows = await selection
    .orderBy(columnOf(table, "id"), query.orders.at(-1)?.direction ?? "asc")
    .limit(Math.min(query.limit ?? table.mostRows, table.mostRows))
    .offset(query.offset)
    .execute();
  return rows.map((row) => table.toWire(row, context.links));
}

/** How many rows match, whatever part of them is asked for. */
export async function countRows(db: Kysely<Tables>, table: RestTable, filters: RestFilter[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table.name)}
    where ${toCondition(table, filters)}`.execute(db);
  return rows[0]!.total;
}

/** The ids of the rows that a write is about, in a fixed order. */
export async function findIds(db: Kysely<Tables>, table: RestTable, filters: RestFilter[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table.name)}
    where ${toCondition(table, filters)} order by id`.execute(db);
  return rows.map((row) => row.id);
}

function toCondition(table: RestTable, filters: RestFilter[]): RawBuilder<SqlBool> {
  if (filters.length === 0) return sql<SqlBool>`true`;
  return sql<SqlBool>`${sql.join(
    filters.map((filter) => toComparison(columnOf(table, filter.column), filter)),
    sql` and `,
  )}`;
}

/** Values are bound, whatever they hold; names come from the table's own list. */
function toComparison(column: RawBuilder<unknown>, filter: RestFilter): RawBuilder<unknown> {
  switch (filter.operator) {
    case "is":
      return sql`${column} is ${IS[filter.value]}`;
    case "in":
      // An empty list matches nothing, and SQL has no empty list.
      return filter.values.length === 0 ? sql`false` : sql`${column} in (${sql.join(filter.values)})`;
    case "like":
    case "ilike":
      return sql`${column} ${OPERATORS[filter.operator]} ${toPattern(filter.value)}`;
    case "eq":
    case "neq":
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return sql`${column} ${OPERATORS[filter.operator]} ${filter.value}`;
  }
}

/** A star stands for %, which has to be escaped in an address. PostgreSQL refuses a pattern that ends in the middle of an escape. */
function toPattern(value: string): string {
  const pattern = value.replaceAll("*", "%");
  return /(?<!\\)(?:\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern;
}

function columnOf(table: RestTable, column: string): RawBuilder<unknown> {
  return sql.ref(`${table.name}.${column}`);
}

/** What an embed is called in a row: the table it comes from. */
function keyOf(embed: string): string {
  return embed.slice(0, embed.indexOf("("));
}

/** What of a row the query asks for. */
export function pickColumns(row: Row, { columns, embeds }: RestQuery): Row {
  if (!columns) return row;
  return Object.fromEntries([...columns, ...embeds.map(keyOf)].map((name) => [name, row[name]]));
}
