import { z } from "zod";
import type { ColumnType } from "#operations/select-columns.ts";
import { RestError, unreadable } from "./rest-error.ts";
import type { RestTable } from "./rest-tables.ts";

type Comparison = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "like" | "ilike";

export type RestFilter = { column: string; type: ColumnType } & (
  | { operator: Comparison; value: string }
  | { operator: "in"; values: string[] }
  | { operator: "is"; value: "null" | "true" | "false" | "unknown" }
);

const CONDITION = /^(eq|neq|gt|gte|lt|lte|like|ilike|in|is)\.(.*)$/s;
const IS_VALUE = /^(null|true|false|unknown)$/i;
/** Clients quote only items with a comma or bracket: plain ones may contain quotes. */
const ITEM_PATTERN = String.raw`(?:"((?:[^"\\]|\\.)*)"|((?:[^",()][^,()]*)?))`;
const LIST = new RegExp(String.raw`^\(${ITEM_PATTERN}(?:,${ITEM_PATTERN})*\)$`, "s");
const ITEM = new RegExp(`(?:^|,)${ITEM_PATTERN}`, "gs");
const MAX_INTEGER = 2_147_483_647;

const uuid = z.uuid();
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
const BOOLEAN = /^(?:t|true|f|false)$/i;
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Such as `status=eq.Queued`. Throws RestError unless column, operator and values are valid. */
export function parseFilter(column: string, condition: string, table: RestTable): RestFilter {
  if (column === "or" || column === "and" || column.startsWith("not.")) throw unreadable(`${column}=${condition}`);
  if (!Object.hasOwn(table.columns, column)) {
    throw new RestError(400, "42703", `column ${table.name}.${column} does not exist`);
  }
  const type = table.columns[column]!;
  const [, operator, text = ""] = CONDITION.exec(condition) ?? [];
  if (!operator || type === "computed") throw unreadable(`${column}=${condition}`);
  if (operator === "is") return { column, type, operator, value: parseIs(column, text, type) };
  // Lists have no order and no query syntax.
  if (type === "list") throw unreadable(`${column}=${condition}`);
  if (operator === "in") {
    const values = parseList(text);
    for (const value of values) requireType(value, type);
    return { column, type, operator, values };
  }
  if ((operator === "like" || operator === "ilike") && type !== "text") {
    throw new RestError(404, "42883", `operator does not exist: ${type} ${operator} text`);
  }
  requireType(text, type);
  return { column, type, operator: operator as Comparison, value: text };
}

function parseIs(column: string, text: string, type: ColumnType): "null" | "true" | "false" | "unknown" {
  if (!IS_VALUE.test(text)) throw unreadable(`${column}=is.${text}`);
  const value = text.toLowerCase() as "null" | "true" | "false" | "unknown";
  if (value !== "null" && type !== "boolean") {
    throw new RestError(400, "42804", `argument of IS ${value.toUpperCase()} must be type boolean, not type ${type}`);
  }
  return value;
}

function parseList(text: string): string[] {
  if (!LIST.test(text)) throw unreadable(`in.${text}`);
  const inner = text.slice(1, -1);
  if (inner === "") return [];
  return [...inner.matchAll(ITEM)].map(([, quoted, plain]) => quoted?.replace(/\\(.)/gs, "$1") ?? plain ?? "");
}

function requireType(value: string, type: ColumnType): void {
  if (value.includes("\0")) throw new RestError(400, "22021", "a text value cannot contain a NUL character");
  if (isOfType(value, type)) return;
  throw new RestError(400, type === "time" ? "22007" : "22P02", `invalid input syntax for type ${type}: "${value}"`);
}

function isOfType(value: string, type: ColumnType): boolean {
  switch (type) {
    case "uuid":
      return uuid.safeParse(value).success;
    case "integer":
      return /^[+-]?\d{1,10}$/.test(value) && Math.abs(Number(value)) <= MAX_INTEGER;
    case "number":
      return NUMBER.test(value);
    case "boolean":
      return BOOLEAN.test(value);
    case "time":
      return TIME.test(value) && !Number.isNaN(Date.parse(value.replace(/(:[\d.]+[+-]\d\d)$/, "$1:00")));
    case "text":
      return true;
    case "list":
    case "computed":
      return false;
  }
}
