import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Context } from "#operations/context.ts";
import { selectColumns } from "#operations/select-columns.ts";
import type { RestFilter } from "./parse-filter.ts";
import type { RestQuery } from "./parse-query.ts";
import { RestError } from "./rest-error.ts";
import type { RestTable, Row } from "./rest-tables.ts";

const MAX_RESPONSE_BYTES = 8 * 1024 ** 2;
const TOO_LARGE = "The response would be larger than 8 MB. Select fewer columns, or fewer rows with limit.";
/** Reading large rows blocks the process, so each is read separately. */
const BYTES_PER_READ = 1024 ** 2;
/** The usual maximum without long lists. */
const LIGHT_ROW_BYTES = 4 * 1024;

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

/** In wire form. Throws RestError above 8 MB. */
export async function selectRows(
  context: Pick<Context, "db" | "links">,
  table: RestTable,
  query: RestQuery,
): Promise<Row[]> {
  const maxRows = Math.min(query.limit ?? table.maxRows, table.maxRows);
  const isLight = query.isLight && table.lightSources !== undefined;
  if (isLight || !table.longBytes || maxRows <= 1) return readRows(context, table, query, maxRows, isLight);
  const rows: Row[] = [];
  let bytes = 0;
  for (const ids of await planReads(context.db, table, query, maxRows, table.longBytes)) {
    const part = await readRows(context, table, { ...query, filters: [idIn(ids)], offset: 0 }, ids.length, false);
    bytes += part.reduce((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)), 0);
    rows.push(...part);
    // A single row stays readable: one from an older version may be larger.
    if (bytes > MAX_RESPONSE_BYTES && rows.length > 1) throw new RestError(413, "54000", TOO_LARGE);
  }
  return rows;
}

/** Splits the ids, in order, into sequential reads of as many rows as fit, or one large row. */
async function planReads(
  db: Kysely<Tables>,
  table: RestTable,
  query: RestQuery,
  maxRows: number,
  longBytes: RawBuilder<number | null>,
): Promise<string[][]> {
  const rows = await pageOf(db.selectFrom(table.name).select(["id", longBytes.as("bytes")]), table, query, maxRows)
    .$castTo<{ id: string; bytes: number | null }>()
    .execute();
  const parts: string[][] = [];
  let free = 0;
  for (const { id, bytes } of rows) {
    const needed = bytes ?? LIGHT_ROW_BYTES;
    if (needed <= free) parts.at(-1)!.push(id);
    else {
      parts.push([id]);
      free = BYTES_PER_READ;
    }
    free -= needed;
  }
  return parts;
}

async function readRows(
  { db, links }: Pick<Context, "db" | "links">,
  table: RestTable,
  query: RestQuery,
  maxRows: number,
  isLight: boolean,
): Promise<Row[]> {
  const sources = (isLight && table.lightSources) || table.sources;
  const columns = query.columns ?? Object.keys(table.columns);
  // Needed to order written rows.
  let selection = selectColumns<Row>(db, table.name, ["id", ...columns], sources);
  for (const embed of query.embeds) selection = selection.select(table.embeds[embed]!.as(keyOf(embed)));
  const rows = await pageOf(selection, table, query, maxRows).execute();
  return rows.map((row) => table.toWire(row, links));
}

function pageOf<Output>(
  selection: SelectQueryBuilder<Tables, keyof Tables, Output>,
  table: RestTable,
  query: RestQuery,
  maxRows: number,
): SelectQueryBuilder<Tables, keyof Tables, Output> {
  let page = selection.where(toCondition(table, query.filters));
  for (const { column, direction, nulls } of query.orders) {
    const place = nulls ? NULLS[nulls] : sql``;
    page = page.orderBy(sql`${columnOf(table, column)} ${DIRECTIONS[direction]} ${place}`);
  }
  return page
    .orderBy(columnOf(table, "id"), query.orders.at(-1)?.direction ?? "asc")
    .limit(maxRows)
    .offset(query.offset);
}

function idIn(ids: string[]): RestFilter {
  return { column: "id", type: "uuid", operator: "in", values: ids };
}

/** Ignores limit and offset. */
export async function countRows(db: Kysely<Tables>, table: RestTable, filters: RestFilter[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table.name)}
    where ${toCondition(table, filters)}`.execute(db);
  return rows[0]!.total;
}

/** In a fixed order. */
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

/** Values are always bound; names come from the allow-list. */
function toComparison(column: RawBuilder<unknown>, filter: RestFilter): RawBuilder<unknown> {
  switch (filter.operator) {
    case "is":
      return sql`${column} is ${IS[filter.value]}`;
    case "in":
      // SQL has no empty list; it matches nothing.
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

/** `*` stands for `%`, which URLs must escape. Completes a trailing escape, which PostgreSQL rejects. */
function toPattern(value: string): string {
  const pattern = value.replaceAll("*", "%");
  return /(?<!\\)(?:\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern;
}

function columnOf(table: RestTable, column: string): RawBuilder<unknown> {
  return sql.ref(`${table.name}.${column}`);
}

function keyOf(embed: string): string {
  return embed.slice(0, embed.indexOf("("));
}

export function pickColumns(row: Row, { columns, embeds }: RestQuery): Row {
  if (!columns) return row;
  return Object.fromEntries([...columns, ...embeds.map(keyOf)].map((name) => [name, row[name]]));
}
