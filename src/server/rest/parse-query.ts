import { parseFilter, type RestFilter } from "./parse-filter.ts";
import { RestError, unreadable } from "./rest-error.ts";
import type { RestTable } from "./rest-tables.ts";

type RestOrder = { column: string; direction: "asc" | "desc"; nulls: "first" | "last" | null };

export type RestQuery = {
  /** Null for all. */
  columns: string[] | null;
  /** True unless `select` is `*` or names columns, or a filter selects by id. */
  isLight: boolean;
  embeds: string[];
  filters: RestFilter[];
  orders: RestOrder[];
  limit: number | null;
  offset: number;
  /** An insert's parameter `columns`: the keys to use. */
  writes: string[] | null;
};

const COUNT = /^\d{1,9}$/;
const RELATION = /^([a-z_]+)\(([a-z_*,]*)\)$/;

/** PROTOCOL 2. Throws RestError for anything the table does not allow. */
export function parseRestQuery(search: URLSearchParams, table: RestTable): RestQuery {
  const query: RestQuery = {
    columns: null,
    isLight: true,
    embeds: [],
    filters: [],
    orders: [],
    limit: null,
    offset: 0,
    writes: null,
  };
  for (const [name, value] of search) {
    if (name === "select") Object.assign(query, parseSelect(value, table));
    else if (name === "order") query.orders = value.split(",").map((term) => parseOrder(term, table));
    else if (name === "limit") query.limit = parseCount(value);
    else if (name === "offset") query.offset = parseCount(value);
    else if (name === "columns") query.writes = value.split(",").map((column) => column.replaceAll('"', "").trim());
    else query.filters.push(parseFilter(name, value, table));
  }
  if (query.filters.some(({ column, operator }) => column === "id" && (operator === "eq" || operator === "in"))) {
    query.isLight = false;
  }
  return query;
}

function parseSelect(value: string, table: RestTable): Pick<RestQuery, "columns" | "embeds" | "isLight"> {
  const terms = splitTopLevel(value.replace(/\s/g, "")).filter((term) => term !== "");
  const embeds = terms.filter((term) => term.includes("("));
  const columns = terms.filter((term) => !term.includes("("));
  for (const embed of embeds) requireEmbed(embed, table);
  for (const column of columns) if (column !== "*") requireColumn(column, value, table);
  const isAll = columns.includes("*") || columns.length + embeds.length === 0;
  return { columns: isAll ? null : columns, embeds, isLight: terms.length === 0 };
}

function requireEmbed(embed: string, table: RestTable): void {
  if (Object.hasOwn(table.embeds, embed)) return;
  const relation = RELATION.exec(embed)?.[1];
  const isKnown = Object.keys(table.embeds).some((known) => known.startsWith(`${relation}(`));
  if (!relation || isKnown) throw unreadable(`select=${embed}`);
  throw new RestError(
    400,
    "PGRST200",
    `Could not find a relationship between '${table.name}' and '${relation}' in the schema cache`,
  );
}

function requireColumn(column: string, select: string, table: RestTable): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(column)) throw unreadable(`select=${select}`);
  if (!Object.hasOwn(table.columns, column)) throw unknownColumn(table, column);
}

function parseOrder(term: string, table: RestTable): RestOrder {
  const [, column = "", direction = "asc", nulls] =
    /^([A-Za-z0-9_]+)(?:\.(asc|desc))?(?:\.nulls(first|last))?$/.exec(term.trim()) ?? [];
  if (column === "") throw unreadable(`order=${term}`);
  if (!Object.hasOwn(table.columns, column)) throw unknownColumn(table, column);
  const type = table.columns[column];
  if (type === "computed" || type === "list") throw unreadable(`order=${term}`);
  return {
    column,
    direction: direction === "desc" ? "desc" : "asc",
    nulls: nulls === "first" || nulls === "last" ? nulls : null,
  };
}

function parseCount(value: string): number {
  if (!COUNT.test(value)) throw unreadable(value);
  return Number(value);
}

function unknownColumn(table: RestTable, column: string): RestError {
  return new RestError(400, "42703", `column ${table.name}.${column} does not exist`);
}

function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "(") depth += 1;
    else if (text[i] === ")") depth -= 1;
    else if (text[i] === "," && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}

const SINGLE = "application/vnd.pgrst.object+json";
const LIST = /(?:^|[,\s])(?:application\/json|application\/\*|\*\/\*)/;

export type RestHeaders = {
  /** One object; an error unless exactly one row matches. */
  isSingle: boolean;
  returnsRows: boolean;
  isCounted: boolean;
  /** Missing fields of inserted rows get defaults, not null. */
  fillsDefaults: boolean;
};

/** PROTOCOL 2. Throws RestError for another schema or media type, or an upsert. */
export function parseHeaders(method: string, headers: Headers): RestHeaders {
  const profile = headers.get(method === "GET" || method === "HEAD" ? "accept-profile" : "content-profile");
  if (profile && profile !== "public") {
    const details = "Only the following schemas are exposed: public";
    throw new RestError(406, "PGRST106", `Invalid schema: ${profile}`, details);
  }
  const accept = headers.get("accept") ?? "*/*";
  const isSingle = accept.includes(SINGLE);
  if (!isSingle && !LIST.test(accept)) {
    throw new RestError(406, "PGRST107", `None of these media types are available: ${accept}`);
  }
  const preferences = new Set((headers.get("prefer") ?? "").split(",").map((preference) => preference.trim()));
  if ([...preferences].some((preference) => preference.startsWith("resolution="))) {
    throw new RestError(
      400,
      "PGRST100",
      "This query is not supported.",
      "upserts are not supported; insert or update instead",
    );
  }
  return {
    isSingle,
    returnsRows: preferences.has("return=representation"),
    isCounted: ["count=exact", "count=planned", "count=estimated"].some((preference) => preferences.has(preference)),
    fillsDefaults: preferences.has("missing=default"),
  };
}
