import { z } from "zod";
import type { ReadableTable } from "./readable-tables.ts";
import { RestError } from "./rest-error.ts";

type RestFilter = { column: string; isNegated: boolean; values: string[] };
export type RestQuery = {
  /** Null for all columns. */
  columns: string[] | null;
  filters: RestFilter[];
  orders: { column: string; direction: "asc" | "desc" }[];
  limit: number;
  offset: number;
};

const UUID_COLUMNS = new Set(["id", "job_id", "video_id"]);
const uuid = z.uuid();
const count = z.string().regex(/^\d{1,9}$/);

/** Reads the query of a table call, of which only what the table allows is taken. Throws RestError. */
export function parseRestQuery(search: URLSearchParams, table: ReadableTable): RestQuery {
  const query: RestQuery = { columns: null, filters: [], orders: [], limit: table.mostRows, offset: 0 };
  for (const [name, value] of search) {
    if (name === "select") query.columns = parseColumns(value);
    else if (name === "order") query.orders = value.split(",").map((term) => parseOrder(term, table));
    else if (name === "limit") query.limit = Math.min(parseCount(value), table.mostRows);
    else if (name === "offset") query.offset = parseCount(value);
    else query.filters.push(parseFilter(name, value, table));
  }
  return query;
}

function parseColumns(value: string): string[] | null {
  if (value === "*" || value === "") return null;
  const columns = value.split(",").map((column) => column.trim());
  const odd = columns.find((column) => !/^[a-z_]+$/.test(column));
  if (odd !== undefined) throw unreadable(`select=${value}`);
  return columns;
}

function parseOrder(term: string, table: ReadableTable): RestQuery["orders"][number] {
  const [column = "", direction = "asc"] = term.split(".");
  if (!table.orders.includes(column)) throw unknownColumn(table, column);
  if (direction !== "asc" && direction !== "desc") throw unreadable(`order=${term}`);
  return { column, direction };
}

function parseFilter(column: string, condition: string, table: ReadableTable): RestFilter {
  if (!table.filters.includes(column)) throw unknownColumn(table, column);
  const [, operator, value = ""] = /^(eq|neq|in)\.(.*)$/s.exec(condition) ?? [];
  if (!operator) throw unreadable(`${column}=${condition}`);
  const values = operator === "in" ? parseList(value) : [value];
  const odd = UUID_COLUMNS.has(column) ? values.find((item) => !uuid.safeParse(item).success) : undefined;
  if (odd !== undefined) throw new RestError(400, "22P02", `invalid input syntax for type uuid: "${odd}"`);
  return { column, isNegated: operator === "neq", values };
}

/** The items of `(a,"b,c")`. */
function parseList(value: string): string[] {
  if (!value.startsWith("(") || !value.endsWith(")")) throw unreadable(`in.${value}`);
  const items = value.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g);
  return [...items].map(([, quoted, plain]) => quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "");
}

function parseCount(value: string): number {
  if (!count.safeParse(value).success) throw unreadable(value);
  return Number(value);
}

function unreadable(text: string): RestError {
  return new RestError(400, "PGRST100", "This query is not supported.", `could not read "${text}"`);
}

function unknownColumn(table: ReadableTable, column: string): RestError {
  return new RestError(400, "42703", `column ${table.name}.${column} does not exist`);
}
